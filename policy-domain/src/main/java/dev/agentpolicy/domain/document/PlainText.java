package dev.agentpolicy.domain.document;

/** Text that can be hashed, and text that can be logged and shown: well-formed Unicode without control characters. */
public final class PlainText {
    private static final int SHOWN = 40;

    private PlainText() {}

    /** Whether a text may be in the log: it has no character below U+0020, no U+007F and no lone surrogate. */
    public static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == 0x7f || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c)) {
                i++;
                if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether a text may be taken in: it is plain, and has none of the control characters U+0080 to U+009F either. */
    public static boolean isClean(String text) {
        return isPlain(text) && text.chars().noneMatch(Character::isISOControl);
    }

    /** A text of a stranger, short and harmless enough to be put into a message. */
    public static String shown(String text) {
        String start = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        return isClean(start) ? start : start.replaceAll("[\\p{Cc}\\p{Cs}]", "?");
    }
}
