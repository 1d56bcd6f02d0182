package dev.agentpolicy.domain.event.canonical;

/**
 * The grammar of the canonical form: finds where a canonical value ends, without reading what it holds.
 *
 * <p>Each method returns the index after what it found, or the complement ({@code ~index}) of the first index that is
 * not canonical.
 */
final class CanonicalScan {
    private static final int MAX_DIGITS = 16;

    private CanonicalScan() {}

    /** An object that begins at an index. */
    static int object(String text, int from, int depth) {
        if (depth > CanonicalForm.MAX_DEPTH || at(text, from) != '{') {
            return ~from;
        }
        if (at(text, from + 1) == '}') {
            return from + 2;
        }
        int lastName = from;
        int place = from;
        do {
            int name = place + 1;
            int colon = name(text, name);
            if (colon < 0) {
                return colon;
            }
            if (lastName > from && !isAscending(text, lastName, name)) {
                return ~name;
            }
            lastName = name;
            place = value(text, colon + 1, depth);
        } while (at(text, place) == ',');
        return closed(text, place, '}');
    }

    private static int array(String text, int from, int depth) {
        if (depth > CanonicalForm.MAX_DEPTH) {
            return ~from;
        }
        if (at(text, from + 1) == ']') {
            return from + 2;
        }
        int place = from;
        do {
            place = value(text, place + 1, depth);
        } while (at(text, place) == ',');
        return closed(text, place, ']');
    }

    private static int closed(String text, int place, char bracket) {
        if (place < 0) {
            return place;
        }
        return at(text, place) == bracket ? place + 1 : ~place;
    }

    private static int value(String text, int from, int depth) {
        return switch (at(text, from)) {
            case '"' -> string(text, from + 1);
            case '{' -> object(text, from, depth + 1);
            case '[' -> array(text, from, depth + 1);
            case 't' -> word(text, from, "true");
            case 'f' -> word(text, from, "false");
            case 'n' -> word(text, from, "null");
            case '-' -> at(text, from + 1) == '0' ? ~(from + 1) : integer(text, from + 1);
            default -> integer(text, from);
        };
    }

    /** A name whose opening quote is at an index; the index found is that of the colon. */
    private static int name(String text, int from) {
        if (at(text, from) != '"') {
            return ~from;
        }
        int end = from + 1;
        while (isNamed(at(text, end), end == from + 1)) {
            end++;
        }
        boolean isName = end > from + 1 && at(text, end) == '"' && at(text, end + 1) == ':';
        return isName ? end + 1 : ~end;
    }

    private static boolean isNamed(char c, boolean isFirst) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !isFirst && (c >= '0' && c <= '9' || c == '_');
    }

    /** Whether one name sorts before another. The quote that ends a name is less than every character of a name. */
    private static boolean isAscending(String text, int name, int later) {
        int i = 1;
        while (text.charAt(name + i) == text.charAt(later + i) && text.charAt(name + i) != '"') {
            i++;
        }
        return text.charAt(name + i) < text.charAt(later + i);
    }

    /** A string after its opening quote. */
    private static int string(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            } else if (c == '\\') {
                i++;
                if (at(text, i) != '"' && at(text, i) != '\\') {
                    return ~i;
                }
            } else if (Character.isSurrogate(c)) {
                i++;
                if (!Character.isHighSurrogate(c) || !Character.isLowSurrogate(at(text, i))) {
                    return ~(i - 1);
                }
            } else if (c < ' ' || c == 0x7f) {
                return ~i;
            }
        }
        return ~text.length();
    }

    /** An integer without sign and leading zeros. */
    private static int integer(String text, int from) {
        long number = 0;
        int end = from;
        while (isDigit(at(text, end)) && end - from < MAX_DIGITS) {
            number = number * 10 + (text.charAt(end) - '0');
            end++;
        }
        boolean isLoose = end == from || isDigit(at(text, end)) || at(text, from) == '0' && end > from + 1;
        return isLoose || number > CanonicalForm.MAX_INTEGER ? ~from : end;
    }

    private static int word(String text, int from, String word) {
        return text.startsWith(word, from) ? from + word.length() : ~from;
    }

    /** The character at an index; outside of the text a control character, which fits nowhere. */
    private static char at(String text, int place) {
        return place >= 0 && place < text.length() ? text.charAt(place) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
