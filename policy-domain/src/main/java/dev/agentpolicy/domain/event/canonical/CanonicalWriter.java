package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.PlainText;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values in the profile of {@link CanonicalForm} and refuses all others. */
final class CanonicalWriter {
    private static final int MAX_INTEGER_DIGITS = 16;

    private CanonicalWriter() {}

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
        if (text.length() > CanonicalForm.MAX_BYTES) {
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
        if (number > CanonicalForm.MAX_INTEGER || number < -CanonicalForm.MAX_INTEGER) {
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
        if (depth > CanonicalForm.MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "A signed document must not nest deeper than " + CanonicalForm.MAX_DEPTH + " objects or arrays.");
        }
    }

    private static IllegalArgumentException refused(String name, String what) {
        return new IllegalArgumentException("The value of " + name + " " + what + ".");
    }
}
