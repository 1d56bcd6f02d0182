package dev.agentpolicy.domain.document;

/** Checks texts for control characters and broken Unicode. */
public final class PlainText {
    private static final int SHOWN = 40;

    private PlainText() {}

    /** Whether a text has no lone surrogate. */
    public static boolean isWellFormed(String text) {
        return isWellFormed(text, true);
    }

    /** Whether the log accepts a text: it has no character below U+0020, no U+007F and no lone surrogate. */
    public static boolean isPlain(String text) {
        return isWellFormed(text, false);
    }

    private static boolean isWellFormed(String text, boolean mayHaveControls) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < 0x20 || c == 0x7f) && !mayHaveControls || Character.isLowSurrogate(c)) {
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

    /** Whether the service accepts a text: the log accepts it, and it has no control character at all. */
    public static boolean isClean(String text) {
        return isPlain(text) && text.chars().noneMatch(Character::isISOControl);
    }

    /** An untrusted text, shortened and without control characters, for use in a message. */
    public static String shown(String text) {
        String start = text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
        return isClean(start) ? start : start.replaceAll("[\\p{Cc}\\p{Cs}]", "?");
    }
}
