package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.PlainText;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The canonical text of a document, which is hashed and signed: a profile of RFC 8785 in which every document has
 * exactly one text.
 *
 * <p>Member names are {@code [A-Za-z][A-Za-z0-9_]*}; strings are well-formed Unicode without control characters;
 * numbers are integers of at most 2^53-1 (decimals are strings, see {@link
 * dev.agentpolicy.domain.document.Decimals#text}); objects and arrays nest at most 8 deep; the text has at most 64 KiB,
 * except that of a manifest.
 * Anything outside of the profile is refused, never repaired.
 */
public final class CanonicalForm {
    /** The largest integer every JSON reader holds exactly: 2^53-1. */
    public static final long MAX_INTEGER = (1L << 53) - 1;

    public static final int MAX_DEPTH = 8;
    public static final int MAX_BYTES = 64 * 1024;

    private static final int DEFAULT_LENGTH = 1_024;

    private CanonicalForm() {}

    /**
     * The canonical text of an object.
     *
     * @throws IllegalArgumentException when a value lies outside of the profile
     */
    public static String write(Map<String, @Nullable Object> members) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        Writer.object(out, members, 1);
        requireSize(out);
        return out.toString();
    }

    /**
     * The canonical text of a document.
     *
     * @throws IllegalArgumentException when a value lies outside of the profile or a name is repeated
     */
    public static String write(Document document) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        Writer.value(out, "the document", document, 0);
        requireSize(out);
        return out.toString();
    }

    /** The canonical text of a document that may be longer than 64 KiB: one that is only stored, or a manifest. */
    public static String writeStored(Map<String, @Nullable Object> members) {
        StringBuilder out = new StringBuilder(DEFAULT_LENGTH);
        Writer.object(out, members, 1);
        return out.toString();
    }

    /**
     * Reads what {@link #writeStored} wrote.
     *
     * @throws IllegalArgumentException when the text is not the canonical text of an object in the profile
     */
    public static Document readStored(String text) {
        int end = Scan.object(text, 0, 1);
        if (end != text.length()) {
            throw new IllegalArgumentException("Not canonical at character " + ((end < 0 ? ~end : end) + 1) + ".");
        }
        return Document.parse(text).orElseThrow();
    }

    /**
     * Reads canonical text and nothing else: {@link #write(Document)} gives back the same text.
     *
     * @throws IllegalArgumentException when the text is not the canonical text of an object in the profile
     */
    public static Document read(String text) {
        requireSize(text);
        return readStored(text);
    }

    /** Whether {@link #read} accepts a text. Much faster, since it makes no document. */
    public static boolean isCanonical(String text) {
        return isSized(text) && end(text, 0) == text.length();
    }

    /** The index after the canonical object that begins at an index of a text, or -1 when none begins there. */
    public static int end(String text, int from) {
        return Math.max(-1, Scan.object(text, from, 1));
    }

    private static void requireSize(CharSequence text) {
        if (!isSized(text)) {
            throw new IllegalArgumentException("A signed document must have at most " + MAX_BYTES + " bytes.");
        }
    }

    private static boolean isSized(CharSequence text) {
        int length = text.length();
        return length <= MAX_BYTES / 3 || length <= MAX_BYTES && utf8Length(text) <= MAX_BYTES;
    }

    /** Bytes in UTF-8; a surrogate pair is two characters of two bytes each. */
    private static int utf8Length(CharSequence text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }

    /** Writes values in the profile and refuses all others. */
    private static final class Writer {
        private static final int MAX_INTEGER_DIGITS = 16;

        private Writer() {}

        static void value(StringBuilder out, String name, @Nullable Object value, int depth) {
            if (value instanceof String text) {
                text(out, name, text);
            } else if (value == null || value instanceof Boolean) {
                out.append(value);
            } else if (value instanceof Integer || value instanceof Long) {
                integer(out, name, ((Number) value).longValue());
            } else if (value instanceof BigDecimal number) {
                integer(out, name, whole(name, number));
            } else if (value instanceof List<?> list) {
                array(out, name, list, depth + 1);
            } else if (value instanceof Document document) {
                document(out, name, document, depth + 1);
            } else if (value instanceof Map<?, ?> members) {
                object(out, members, depth + 1);
            } else {
                throw refused(name, "is a " + value.getClass().getSimpleName() + ", which has no canonical form");
            }
        }

        static void object(StringBuilder out, Map<?, ?> members, int depth) {
            requireDepth(depth);
            Object[] names = members.keySet().toArray();
            for (Object name : names) {
                if (!(name instanceof String text && isName(text))) {
                    throw new IllegalArgumentException("The member name " + PlainText.shown(String.valueOf(name))
                            + " must be a letter followed by letters, digits and underscores.");
                }
            }
            Arrays.sort(names);
            out.append('{');
            for (int i = 0; i < names.length; i++) {
                String name = (String) names[i];
                out.append(i == 0 ? "\"" : ",\"").append(name).append("\":");
                value(out, name, members.get(name), depth);
            }
            out.append('}');
        }

        static boolean isName(String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
                if (!letter && (i == 0 || c != '_' && (c < '0' || c > '9'))) {
                    return false;
                }
            }
            return !text.isEmpty();
        }

        private static void document(StringBuilder out, String name, Document document, int depth) {
            if (!document.repeated().isEmpty()) {
                throw refused(name, "has a member twice");
            }
            object(out, document.members(), depth);
        }

        private static void array(StringBuilder out, String name, List<?> list, int depth) {
            requireDepth(depth);
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                if (i > 0) {
                    out.append(',');
                }
                value(out, name, list.get(i), depth);
            }
            out.append(']');
        }

        private static void text(StringBuilder out, String name, String text) {
            if (!PlainText.isPlain(text)) {
                throw refused(name, "must not contain control characters or broken Unicode");
            }
            if (text.length() > MAX_BYTES) {
                throw refused(name, "is too long");
            }
            out.append('"');
            if (text.indexOf('"') < 0 && text.indexOf('\\') < 0) {
                out.append(text);
            } else {
                escaped(out, text);
            }
            out.append('"');
        }

        private static void escaped(StringBuilder out, String text) {
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"' || c == '\\') {
                    out.append('\\');
                }
                out.append(c);
            }
        }

        private static void integer(StringBuilder out, String name, long number) {
            if (number > MAX_INTEGER || number < -MAX_INTEGER) {
                throw refused(name, "must be an integer of at most 2^53-1");
            }
            out.append(number);
        }

        private static long whole(String name, BigDecimal number) {
            long digitsBeforePoint = (long) number.precision() - number.scale();
            if (digitsBeforePoint > MAX_INTEGER_DIGITS
                    || number.signum() != 0 && number.stripTrailingZeros().scale() > 0) {
                throw refused(name, "must be an integer of at most 2^53-1; decimals are written as text");
            }
            return number.signum() == 0 ? 0 : number.longValueExact();
        }

        private static void requireDepth(int depth) {
            if (depth > MAX_DEPTH) {
                throw new IllegalArgumentException(
                        "A signed document must not nest deeper than " + MAX_DEPTH + " objects or arrays.");
            }
        }

        private static IllegalArgumentException refused(String name, String what) {
            return new IllegalArgumentException("The value of " + name + " " + what + ".");
        }
    }

    /**
     * The grammar of the canonical form: finds where a canonical value ends, without reading what it holds.
     *
     * <p>Each method returns the index after what it found, or the complement ({@code ~index}) of the first index that is
     * not canonical.
     */
    private static final class Scan {
        private static final int MAX_DIGITS = 16;

        private Scan() {}

        /** An object that begins at an index. */
        static int object(String text, int from, int depth) {
            if (depth > MAX_DEPTH || at(text, from) != '{') {
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
            if (depth > MAX_DEPTH) {
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
            return isLoose || number > MAX_INTEGER ? ~from : end;
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
}
