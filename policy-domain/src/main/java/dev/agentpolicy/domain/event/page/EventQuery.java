package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.chain.EventKind;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A query for the rows of a chain (specification, Events).
 *
 * @param limit the most rows of a page, 1 to 500
 * @param order oldest or newest first
 * @param kind only rows of this kind
 * @param since only rows with {@code createdAt >= since}
 * @param after the row that comes before the page in the given order
 */
public record EventQuery(
        int limit, Direction order, Optional<EventKind> kind, Optional<Instant> since, OptionalLong after) {
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
        return new EventQuery(DEFAULT_LIMIT, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    /** This query, continued after a row. */
    public EventQuery after(long seq) {
        return new EventQuery(limit, order, kind, since, OptionalLong.of(seq));
    }

    /** This query with fewer rows. */
    public EventQuery limited(int rows) {
        return new EventQuery(rows, order, kind, since, after);
    }

    /** This query, continued after a page; empty when the cursor is malformed or belongs to another query. */
    public Optional<EventQuery> after(String cursor) {
        OptionalLong seq = Cursor.read(this, cursor);
        return seq.isPresent() ? Optional.of(after(seq.getAsLong())) : Optional.empty();
    }

    /**
     * This query for the chain as it was when it ended with a row. In descending order the rows after it come first and are
     * left out here; in ascending order they come last, and {@link EventPage#upTo} leaves them out.
     */
    public EventQuery upTo(long seq) {
        return order == Direction.DESC ? after(Math.min(after.orElse(Long.MAX_VALUE), seq + 1)) : this;
    }

    /** The order of rows. */
    public enum Direction implements Word {
        ASC,
        DESC;

        public static Optional<Direction> named(String wireName) {
            return Word.named(Direction.class, wireName);
        }
    }
}
