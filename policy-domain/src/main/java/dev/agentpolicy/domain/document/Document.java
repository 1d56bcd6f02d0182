package dev.agentpolicy.domain.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as plain values, not yet checked against any schema.
 *
 * <p>A value is a {@link String}, {@link java.math.BigDecimal}, {@link Boolean}, {@code null}, a {@link java.util.List}
 * of values, another {@code Document}, or an {@link Unreadable} for a JSON value that no field can hold.
 *
 * @param members the members in the order sent; for a repeated name, its first value
 * @param repeated the names that appear more than once, in order
 */
public record Document(Map<String, @Nullable Object> members, Set<String> repeated) {

    /** Nesting levels of objects and arrays that {@link #parse} accepts. */
    public static final int MAX_DEPTH = 32;

    /** Nesting levels of a file that is verified. */
    public static final int MAX_EXACT_DEPTH = 64;

    /** Characters of a number that {@link #parse} accepts. */
    public static final int MAX_NUMBER_LENGTH = 128;

    /** Characters of a text that {@link #parse} accepts. */
    public static final int MAX_TEXT_LENGTH = 64 * 1024 * 1024;

    public Document {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        repeated = Collections.unmodifiableSet(new LinkedHashSet<>(repeated));
    }

    /**
     * Parses one JSON object, as strictly as the service reads a body: a repeated member, a number or a nesting beyond
     * the limits, half of a surrogate pair, and anything that is not JSON is a problem.
     */
    public static Reading<Document> parse(String json) {
        return new DocumentParser(json).parse();
    }

    /**
     * Parses one JSON object as those do who verify a chain (docs/verify.md, Types and forms): it nests at most {@value
     * #MAX_EXACT_DEPTH} deep, and has no member twice, no half of a surrogate pair, and no other numbers than integers within
     * 2^53, written in one way. A problem of the text, which then is no such JSON, has no field; one of what it holds names it.
     *
     * @param depth how deep the object is nested in its file
     */
    public static Reading<Document> parseExactly(String json, int depth) {
        return new DocumentParser(json, depth).parse();
    }

    /** A document without repeated members. */
    public static Document of(Map<String, @Nullable Object> members) {
        return new Document(members, Set.of());
    }

    /** The value of a member; null when it is absent or null. */
    public @Nullable Object get(String name) {
        return members.get(name);
    }

    /**
     * A JSON value that cannot be held exactly, such as {@code 1e99999999999}.
     *
     * @param type the type it would have
     * @param reason the end of the sentence about its field, such as {@code has too many digits}
     */
    public record Unreadable(Class<?> type, String reason) {}
}
