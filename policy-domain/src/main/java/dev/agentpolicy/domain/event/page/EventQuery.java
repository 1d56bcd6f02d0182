package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.event.chain.EventKind;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Which rows of a chain to read (specification, Events).
 *
 * @param limit rows of a page, 1 to 500
 * @param order oldest or newest first
 * @param kind only rows of this kind
 * @param since only rows with {@code createdAt >= since}
 * @param after the row the page goes on after, in the given order; it is not read again
 */
public record EventQuery(
        int limit, Order order, Optional<EventKind> kind, Optional<Instant> since, OptionalLong after) {
    public static final int MIN_LIMIT = 1;
    public static final int MAX_LIMIT = 500;
    public static final int DEFAULT_LIMIT = 100;

    public EventQuery {
        if (limit < MIN_LIMIT || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("A page has 1 to 500 rows.");
        }
    }

    /** The first page of everything, oldest first. */
    public static EventQuery all() {
        return new EventQuery(DEFAULT_LIMIT, Order.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    /** The same query from a row on. */
    public EventQuery after(long seq) {
        return new EventQuery(limit, order, kind, since, OptionalLong.of(seq));
    }

    /** The same query from where a page ended; empty when the cursor is broken or belongs to another query. */
    public Optional<EventQuery> after(String cursor) {
        OptionalLong seq = Cursor.read(this, cursor);
        return seq.isPresent() ? Optional.of(after(seq.getAsLong())) : Optional.empty();
    }

    /** Which end of the chain comes first. */
    public enum Order {
        ASC("asc"),
        DESC("desc");

        private final String wireName;

        Order(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }

        public static Optional<Order> named(String wireName) {
            return Stream.of(values()).filter(o -> o.wireName.equals(wireName)).findFirst();
        }
    }
}
