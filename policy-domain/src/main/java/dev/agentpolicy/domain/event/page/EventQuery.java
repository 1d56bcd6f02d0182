package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

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

    private static final int MAX_CURSOR = 256;
    private static final Pattern SEQ = Pattern.compile("[1-9][0-9]{0,15}");

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
        byte[] bytes = cursor.length() > MAX_CURSOR ? null : Base64Url.decode(cursor);
        String plain = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
        String prefix = cursorPrefix();
        return plain.startsWith(prefix) ? seq(plain.substring(prefix.length())).map(this::after) : Optional.empty();
    }

    /** The opaque text that names the end of a page: order and filter of this query, and the last row. */
    public String cursor(long seq) {
        return Base64Url.encode((cursorPrefix() + seq).getBytes(StandardCharsets.UTF_8));
    }

    private String cursorPrefix() {
        return "1|" + order.wireName()
                + "|" + kind.map(EventKind::wireName).orElse("")
                + "|" + since.map(Instants::format).orElse("")
                + "|";
    }

    private static Optional<Long> seq(String digits) {
        long seq = SEQ.matcher(digits).matches() ? Long.parseLong(digits) : Long.MAX_VALUE;
        return seq <= CanonicalForm.MAX_INTEGER ? Optional.of(seq) : Optional.empty();
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
