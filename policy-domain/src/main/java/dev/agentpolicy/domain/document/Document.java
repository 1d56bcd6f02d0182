package dev.agentpolicy.domain.document;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as plain values, before it means anything.
 *
 * <p>A value is a {@link String}, {@link java.math.BigDecimal}, {@link Boolean}, {@code null}, a {@link java.util.List}
 * of values, another {@code Document}, or an {@link Unreadable} where the text was a value of JSON that no field of
 * this service can hold.
 *
 * @param members the members in the order sent; of a repeated name the first
 * @param repeated the names that came more than once, in order
 */
public record Document(Map<String, @Nullable Object> members, Set<String> repeated) {

    public Document {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        repeated = Collections.unmodifiableSet(new LinkedHashSet<>(repeated));
    }

    public static Document of(Map<String, @Nullable Object> members) {
        return new Document(members, Set.of());
    }

    public @Nullable Object get(String name) {
        return members.get(name);
    }

    /**
     * A value of JSON that cannot be held exactly, such as {@code 1e99999999999}.
     *
     * @param type what it would be if it could be held
     * @param reason what is said of the field, such as {@code has too many digits}
     */
    public record Unreadable(Class<?> type, String reason) {}
}
