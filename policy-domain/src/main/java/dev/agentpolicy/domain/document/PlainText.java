package dev.agentpolicy.domain.document;

/** Text that can be hashed, logged and shown: well-formed Unicode without control characters. */
public final class PlainText {
    private static final int SHOWN = 40;

    private PlainText() {}

    /** Whether a text has no character below U+0020, no U+007F and no lone surrogate. */
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

    /** A text of a stranger, short and harmless enough to be put into a message. */
    public static String shown(String text) {
        String start = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        return isPlain(start) ? start : start.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    }
}
