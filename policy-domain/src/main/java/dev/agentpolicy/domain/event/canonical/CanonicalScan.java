package dev.agentpolicy.domain.event.canonical;

/** Finds where the canonical text of a value ends, and keeps nothing of it; allows what {@link CanonicalReader} reads. */
final class CanonicalScan {
    static final int NONE = -1;

    private static final int MAX_DIGITS = 16;

    private CanonicalScan() {}

    /** The place after an object that begins at a place, or {@link #NONE} when no canonical one does. */
    static int object(String text, int from, int depth) {
        if (depth > CanonicalForm.MAX_DEPTH || at(text, from) != '{') {
            return NONE;
        }
        if (at(text, from + 1) == '}') {
            return from + 2;
        }
        int lastName = NONE;
        int place = from;
        do {
            int name = place + 1;
            int colon = name(text, name);
            if (colon == NONE || lastName != NONE && !isAscending(text, lastName, name)) {
                return NONE;
            }
            lastName = name;
            place = value(text, colon + 1, depth);
        } while (at(text, place) == ',');
        return at(text, place) == '}' ? place + 1 : NONE;
    }

    private static int array(String text, int from, int depth) {
        if (depth > CanonicalForm.MAX_DEPTH) {
            return NONE;
        }
        if (at(text, from + 1) == ']') {
            return from + 2;
        }
        int place = from;
        do {
            place = value(text, place + 1, depth);
        } while (at(text, place) == ',');
        return at(text, place) == ']' ? place + 1 : NONE;
    }

    private static int value(String text, int from, int depth) {
        return switch (at(text, from)) {
            case '"' -> string(text, from + 1);
            case '{' -> object(text, from, depth + 1);
            case '[' -> array(text, from, depth + 1);
            case 't' -> after(text, from, "true");
            case 'f' -> after(text, from, "false");
            case 'n' -> after(text, from, "null");
            case '-' -> at(text, from + 1) == '0' ? NONE : integer(text, from + 1);
            default -> integer(text, from);
        };
    }

    /** The colon after the name whose opening quote is at a place. */
    private static int name(String text, int from) {
        int end = from + 1;
        while (isNamed(at(text, end), end == from + 1)) {
            end++;
        }
        boolean isName = at(text, from) == '"' && end > from + 1 && at(text, end) == '"' && at(text, end + 1) == ':';
        return isName ? end + 1 : NONE;
    }

    private static boolean isNamed(char c, boolean isFirst) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !isFirst && (c >= '0' && c <= '9' || c == '_');
    }

    /** Whether one name comes before another; each ends with its quote, which is less than any character of a name. */
    private static boolean isAscending(String text, int name, int later) {
        int i = 1;
        while (text.charAt(name + i) == text.charAt(later + i) && text.charAt(name + i) != '"') {
            i++;
        }
        return text.charAt(name + i) < text.charAt(later + i);
    }

    private static int string(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            } else if (c == '\\') {
                i++;
                if (at(text, i) != '"' && at(text, i) != '\\') {
                    return NONE;
                }
            } else if (Character.isSurrogate(c)) {
                i++;
                if (!Character.isHighSurrogate(c) || !Character.isLowSurrogate(at(text, i))) {
                    return NONE;
                }
            } else if (c < ' ' || c == 0x7f) {
                return NONE;
            }
        }
        return NONE;
    }

    /** The place after digits that are written as short as can be. */
    private static int integer(String text, int from) {
        long number = 0;
        int end = from;
        while (isDigit(at(text, end)) && end - from < MAX_DIGITS) {
            number = number * 10 + (text.charAt(end) - '0');
            end++;
        }
        boolean isLoose = end == from || isDigit(at(text, end)) || at(text, from) == '0' && end > from + 1;
        return isLoose || number > CanonicalForm.MAX_INTEGER ? NONE : end;
    }

    private static int after(String text, int from, String word) {
        return text.startsWith(word, from) ? from + word.length() : NONE;
    }

    /** The character at a place; a control character, which fits nowhere, where there is none. */
    private static char at(String text, int place) {
        return place >= 0 && place < text.length() ? text.charAt(place) : '\0';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
