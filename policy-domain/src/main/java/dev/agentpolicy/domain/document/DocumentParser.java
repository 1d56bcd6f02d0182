package dev.agentpolicy.domain.document;

import java.io.Serial;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A strict parser of one JSON object (RFC 8259). Create one per text. */
final class DocumentParser {
    /** Integers of at most this many characters fit into a long. */
    private static final int MAX_LONG_LENGTH = 18;

    private static final int UNICODE_DIGITS = 4;
    private static final int HEX = 16;
    private static final char LAST_ASCII = 0x7f;
    private static final char END = '\0';

    private static final long MAX_EXACT = (1L << 53) - 1;

    private final String text;
    private final boolean isExact;
    private final int outerDepth;

    /** What an exact text must not hold, the first of it; what is wrong with the text itself has precedence. */
    private @Nullable MalformedText held;

    /** The index of the next character. */
    private int place;

    DocumentParser(String text) {
        this.text = text;
        this.isExact = false;
        this.outerDepth = 0;
    }

    /** A parser of an exact text, see {@link Document#parseExactly}. */
    DocumentParser(String text, int outerDepth) {
        this.text = text;
        this.isExact = true;
        this.outerDepth = outerDepth;
    }

    Reading<Document> parse() {
        if (text.length() > Document.MAX_TEXT_LENGTH) {
            return wrong("", "The text is longer than " + Document.MAX_TEXT_LENGTH + " characters.");
        }
        try {
            skipBlanks();
            if (peek() != '{') {
                return wrong("", "The text must be a JSON object.");
            }
            Document document = object(outerDepth + 1);
            skipBlanks();
            if (place < text.length()) {
                return wrong("", "The text has characters after its JSON object.");
            }
            return held == null ? Reading.of(document) : held.problem();
        } catch (MalformedText malformed) {
            return malformed.problem();
        }
    }

    private @Nullable Object value(int depth) {
        char c = peek();
        return switch (c) {
            case '"' -> string();
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw expected("a value");
                }
                yield number();
            }
        };
    }

    private Document object(int depth) {
        requireDepth(depth);
        skip();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        skipBlanks();
        if (skipped('}')) {
            return Document.of(members);
        }
        do {
            int size = members.size();
            skipBlanks();
            String name = string();
            skipBlanks();
            require(':');
            skipBlanks();
            try {
                members.put(name, value(depth));
                if (members.size() == size) {
                    refuse(new MalformedText("", "appears more than once."));
                }
            } catch (MalformedText malformed) {
                throw malformed.in(PlainText.shown(name));
            }
            skipBlanks();
        } while (skipped(','));
        require('}');
        return Document.of(members);
    }

    private List<@Nullable Object> array(int depth) {
        requireDepth(depth);
        skip();
        List<@Nullable Object> items = new ArrayList<>();
        skipBlanks();
        if (skipped(']')) {
            return Collections.unmodifiableList(items);
        }
        do {
            skipBlanks();
            try {
                items.add(value(depth));
            } catch (MalformedText malformed) {
                throw malformed.in("[" + items.size() + "]");
            }
            skipBlanks();
        } while (skipped(','));
        require(']');
        return Collections.unmodifiableList(items);
    }

    private String string() {
        require('"');
        int start = place;
        int end = start;
        boolean isAscii = true;
        while (end < text.length() && isLiteral(text.charAt(end))) {
            isAscii &= text.charAt(end) <= LAST_ASCII;
            end++;
        }
        place = end;
        String literal = text.substring(start, end);
        boolean isEscaped = peek() == '\\';
        String string = isEscaped ? unescaped(literal) : literal;
        require('"');
        if ((isEscaped || !isAscii) && !PlainText.isWellFormed(string)) {
            String what = "The text has half of a surrogate pair in a string.";
            refuse(isExact ? new MalformedText("text", what) : new MalformedText(what));
        }
        return string;
    }

    /** Reads the rest of a string from its first escape on. */
    private String unescaped(String start) {
        StringBuilder out = new StringBuilder(start);
        for (char c = peek(); c != '"'; c = peek()) {
            if (c != '\\' && !isLiteral(c)) {
                throw expected("the end of a string");
            }
            skip();
            out.append(c == '\\' ? escape() : c);
        }
        return out.toString();
    }

    private char escape() {
        char c = peek();
        skip();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw expected("an escape of JSON");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < UNICODE_DIGITS; i++) {
            char c = peek();
            int digit = c < 0x80 ? Character.digit(c, HEX) : -1;
            if (digit < 0) {
                throw expected("four hexadecimal digits");
            }
            code = code * HEX + digit;
            skip();
        }
        return (char) code;
    }

    private BigDecimal number() {
        int start = place;
        skipped('-');
        if (!skipped('0')) {
            digits();
        }
        boolean isInteger = true;
        if (skipped('.')) {
            isInteger = false;
            digits();
        }
        if (skipped('e') || skipped('E')) {
            isInteger = false;
            if (!skipped('-')) {
                skipped('+');
            }
            digits();
        }
        int end = place;
        if (isExact) {
            return exact(start, end, isInteger);
        }
        if (isInteger && end - start <= MAX_LONG_LENGTH) {
            return BigDecimal.valueOf(Long.parseLong(text, start, end, 10));
        }
        if (end - start > Document.MAX_NUMBER_LENGTH) {
            throw new MalformedText("", "has too many digits.");
        }
        try {
            return new BigDecimal(text.substring(start, end));
        } catch (NumberFormatException exponentTooLarge) {
            throw new MalformedText("", "has too many digits.");
        }
    }

    /** The integer in a part of the text, which must be written as the canonical form writes it. */
    private BigDecimal exact(int start, int end, boolean isInteger) {
        boolean isShort = isInteger && end - start <= MAX_LONG_LENGTH && !text.startsWith("-0", start);
        long number = isShort ? Long.parseLong(text, start, end, 10) : Long.MAX_VALUE;
        if (Math.abs(number) > MAX_EXACT) {
            refuse(new MalformedText("number", "A number is not an integer of at most 2^53-1."));
        }
        return BigDecimal.valueOf(number);
    }

    /** Ends parsing, or holds back the first problem of an exact text until the whole of it is known to be JSON. */
    private void refuse(MalformedText wrong) {
        if (!isExact) {
            throw wrong;
        }
        held = held == null ? wrong.in("a member") : held;
    }

    private void digits() {
        if (!isDigit(peek())) {
            throw expected("a digit");
        }
        while (isDigit(peek())) {
            skip();
        }
    }

    private @Nullable Boolean word(String word, @Nullable Boolean value) {
        if (!text.startsWith(word, place)) {
            throw expected("a value");
        }
        place += word.length();
        return value;
    }

    private void skipBlanks() {
        for (char c = peek(); c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t'); c = peek()) {
            skip();
        }
    }

    private void require(char expected) {
        if (!skipped(expected)) {
            throw expected(String.valueOf(expected));
        }
    }

    private boolean skipped(char expected) {
        boolean isThere = peek() == expected;
        if (isThere) {
            skip();
        }
        return isThere;
    }

    private void skip() {
        place++;
    }

    /** The next character; at the end a control character, which fits nowhere. */
    private char peek() {
        int at = place;
        return at < text.length() ? text.charAt(at) : END;
    }

    private void requireDepth(int depth) {
        int max = isExact ? Document.MAX_EXACT_DEPTH : Document.MAX_DEPTH;
        if (depth > max) {
            throw new MalformedText("The text is nested deeper than " + max + " levels.");
        }
    }

    /** Whether a character stands for itself in a string. */
    private static boolean isLiteral(char c) {
        return c != '"' && c != '\\' && c >= ' ';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private MalformedText expected(String what) {
        return new MalformedText("The text is not valid JSON: expected " + what + " at character " + (place + 1) + ".");
    }

    private static Reading<Document> wrong(String field, String message) {
        return Reading.wrong(List.of(new Problem(field, message)));
    }

    /** Ends parsing at the first problem: one of the whole text, or one of a field, whose path grows on the way out. */
    private static final class MalformedText extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final @Nullable String field;
        private final String what;

        /** A problem of the whole text. */
        MalformedText(String what) {
            this(null, what);
        }

        /** A problem of a field. */
        MalformedText(@Nullable String field, String what) {
            super(what, null, false, false);
            this.field = field;
            this.what = what;
        }

        MalformedText in(String name) {
            if (field == null) {
                return this;
            }
            boolean isDirect = field.isEmpty() || field.startsWith("[");
            return new MalformedText(name + (isDirect ? "" : ".") + field, what);
        }

        Reading<Document> problem() {
            boolean isSentence = what.startsWith("A ") || what.startsWith("The ");
            return field == null ? wrong("", what) : wrong(field, isSentence ? what : field + " " + what);
        }
    }
}
