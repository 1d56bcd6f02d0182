package dev.agentpolicy.domain.event.canonical;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.PlainText;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Reads one canonical text, from the first character to the last; of use once. */
final class CanonicalReader {
    private static final int MAX_INTEGER_LENGTH = 17;

    private final String text;
    private final AtomicInteger place = new AtomicInteger();

    CanonicalReader(String text) {
        this.text = text;
    }

    Document document() {
        require('{');
        Document document = object(1);
        if (place.getPlain() != text.length()) {
            throw refused("has something after its end");
        }
        return document;
    }

    private @Nullable Object value(int depth) {
        char c = peek();
        if (c == '"') {
            return string();
        } else if (c == '{') {
            skip(1);
            return object(depth + 1);
        } else if (c == '[') {
            skip(1);
            return array(depth + 1);
        } else if (c == '-' || isDigit(c)) {
            return integer();
        }
        return word();
    }

    /** Reads an object after its opening brace; names in ascending order cannot repeat. */
    private Document object(int depth) {
        requireDepth(depth);
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        String last = "";
        for (boolean more = !skipped('}'); more; more = !closed('}')) {
            String name = string();
            if (!CanonicalWriter.isName(name) || name.compareTo(last) <= 0) {
                throw refused("has a member name that is repeated, out of order or not allowed");
            }
            require(':');
            members.put(name, value(depth));
            last = name;
        }
        return Document.of(members);
    }

    private List<@Nullable Object> array(int depth) {
        requireDepth(depth);
        List<@Nullable Object> items = new ArrayList<>();
        for (boolean more = !skipped(']'); more; more = !closed(']')) {
            items.add(value(depth));
        }
        return Collections.unmodifiableList(items);
    }

    private String string() {
        require('"');
        int start = place.getPlain();
        int end = start;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw refused("ends inside of a string");
        }
        place.setPlain(end + 1);
        String string = text.substring(start, end);
        String plain = string.indexOf('\\') < 0 ? string : unescaped(string);
        if (!PlainText.isPlain(plain)) {
            throw refused("has control characters or broken Unicode");
        }
        return plain;
    }

    private String unescaped(String string) {
        StringBuilder out = new StringBuilder(string.length());
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '\\') {
                c = string.charAt(++i);
                if (c != '"' && c != '\\') {
                    throw refused("escapes a character that needs no escape");
                }
            }
            out.append(c);
        }
        return out.toString();
    }

    private BigDecimal integer() {
        int start = place.getPlain();
        int end = start + 1;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        place.setPlain(end);
        if (end - start > MAX_INTEGER_LENGTH || "-".contentEquals(text.subSequence(start, end))) {
            throw refused("has a number that is no integer of at most 2^53-1");
        }
        long number = Long.parseLong(text, start, end, 10);
        boolean isShortest = Long.toString(number).length() == end - start;
        if (!isShortest || Math.abs(number) > CanonicalForm.MAX_INTEGER) {
            throw refused("has a number that is no integer of at most 2^53-1");
        }
        return BigDecimal.valueOf(number);
    }

    private @Nullable Boolean word() {
        int start = place.getPlain();
        if (text.startsWith("null", start)) {
            skip(4);
            return null;
        } else if (text.startsWith("true", start)) {
            skip(4);
            return true;
        } else if (text.startsWith("false", start)) {
            skip(5);
            return false;
        }
        throw refused("has something that is not a value");
    }

    private boolean closed(char bracket) {
        if (skipped(bracket)) {
            return true;
        }
        require(',');
        return false;
    }

    private boolean skipped(char expected) {
        boolean found = peek() == expected;
        skip(found ? 1 : 0);
        return found;
    }

    private void require(char expected) {
        if (!skipped(expected)) {
            throw refused("must have " + expected + " there");
        }
    }

    /** The next character; a control character, which fits nowhere, at the end. */
    private char peek() {
        int at = place.getPlain();
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private void skip(int characters) {
        place.setPlain(place.getPlain() + characters);
    }

    private void requireDepth(int depth) {
        if (depth > CanonicalForm.MAX_DEPTH) {
            throw refused("nests deeper than " + CanonicalForm.MAX_DEPTH);
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private IllegalArgumentException refused(String what) {
        return new IllegalArgumentException(
                "Not canonical: the text " + what + " (before character " + place.getPlain() + ").");
    }
}
