package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.KeyNumbers;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The rows of a page, and one more if there is one. They are always read from the database and never cached, so that a
 * reader who verifies the chain sees what is stored.
 *
 * @param since the first seq that may be among the rows
 */
record EventRange(Connection connection, KeyNumbers keys, UserId user, EventQuery query, long since) {

    /** The beginning of this range that is read into memory together: a page is short where payloads are large. */
    EventRange fitting() throws SQLException {
        EventKind kind = query.kind().orElse(null);
        String from = " FROM policy_event e" + beginning() + (kind == null ? "TRUE" + inOrder() : condition(kind));
        int rows = kind == null
                ? PayloadBudget.fitting(connection, from, query.limit(), user.value(), after(), since)
                : PayloadBudget.fitting(
                        connection, from, query.limit(), user.value(), after(), since, EventColumns.kind(kind));
        return rows == query.limit() ? this : new EventRange(connection, keys, user, query.limited(rows), since);
    }

    /** Nearly all rows are decisions, so these are read in chain order, and other kinds by an index. */
    List<PolicyEvent> rows() throws SQLException {
        EventKind kind = query.kind().orElse(null);
        return kind == null ? all() : list(kind);
    }

    /** Rows of every kind. The query also returns the row before the first one, which has the previous hash of that row. */
    private List<PolicyEvent> all() throws SQLException {
        long before = Math.max(since - 1, isAscending() ? query.after().orElse(0) : 0);
        long end = isAscending() ? Long.MAX_VALUE : query.after().orElse(Long.MAX_VALUE);
        List<PolicyEvent> rows = Reads.list(
                connection,
                "SELECT " + RowReader.EVENT + " FROM policy_event e"
                        + " WHERE e.user_id = ? AND e.seq >= ? AND e.seq < ?" + inOrder(),
                row -> RowReader.event(keys, user, row, ChainHead.GENESIS_HASH),
                user.value(),
                before,
                end,
                limit() + 1);
        Map<Long, String> hashes = rows.stream().collect(Collectors.toMap(PolicyEvent::seq, PolicyEvent::hash));
        return rows.stream()
                .filter(row -> row.seq() > before)
                .limit(limit())
                .map(row -> following(row, hashes.getOrDefault(row.seq() - 1, ChainHead.GENESIS_HASH)))
                .toList();
    }

    private static PolicyEvent following(PolicyEvent row, String previousHash) {
        return new PolicyEvent(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                row.payload(),
                row.payloadHash(),
                previousHash,
                row.signingKeyId(),
                row.hash(),
                row.signature());
    }

    /**
     * Events that are no decisions lie together in the index. The order names every column of the index, also those that
     * do not vary, since H2 uses an index for an order only then.
     */
    private String condition(EventKind kind) {
        return kind == EventKind.GUARDRAIL_DECISION
                ? "e.kind = ?" + inOrder()
                : "e.agent_key_id IS NULL AND e.allowed IS NULL AND e.kind = ?"
                        + ordered("e.user_id", "e.agent_key_id", "e.allowed", "e.seq");
    }

    private List<PolicyEvent> list(EventKind kind) throws SQLException {
        return Reads.list(
                connection,
                "SELECT " + RowReader.LINKED_EVENT + " FROM policy_event e" + beginning() + condition(kind),
                row -> RowReader.event(keys, user, row),
                user.value(),
                user.value(),
                after(),
                since,
                EventColumns.kind(kind),
                limit());
    }

    private String beginning() {
        return " WHERE e.user_id = ? AND e.seq " + (isAscending() ? ">" : "<") + " ? AND e.seq >= ? AND ";
    }

    private long after() {
        return query.after().orElse(isAscending() ? 0 : Long.MAX_VALUE);
    }

    private String inOrder() {
        return ordered("e.user_id", "e.seq");
    }

    private String ordered(String... columns) {
        String direction = isAscending() ? "" : " DESC";
        return " ORDER BY " + String.join(direction + ", ", columns) + direction + " LIMIT ?";
    }

    private boolean isAscending() {
        return query.order() == Direction.ASC;
    }

    private int limit() {
        return query.limit() + 1;
    }

    /**
     * How many rows of a chain are in memory together. A payload can have {@value CanonicalForm#MAX_BYTES} bytes, so some
     * thousands of the largest would fill the heap.
     */
    static final class PayloadBudget {
        /** Maximum size of the payloads that are read by one query. A typical payload has about 1 KB. */
        static final int MAX_BYTES = 2 * 1024 * 1024;

        private static final int ALWAYS_FIT = MAX_BYTES / CanonicalForm.MAX_BYTES;

        private PayloadBudget() {}

        /**
         * How many of the first rows of a query fit, at least one. Large rows are noticed among the first few; for few rows,
         * nothing is asked.
         *
         * @param from the query after its columns, for rows {@code e} of the journal; its last parameter is the limit
         * @param limit how many rows the query has at most
         * @param values the other parameters
         */
        static int fitting(Connection connection, String from, int limit, Object... values) throws SQLException {
            if (limit <= ALWAYS_FIT) {
                return limit;
            }
            int first = Math.min(limit, 2 * ALWAYS_FIT);
            int fitting = fitting(sizes(connection, from, first, values), first);
            return fitting < first || first == limit ? fitting : fitting(sizes(connection, from, limit, values), limit);
        }

        private static int fitting(List<Long> sizes, int limit) {
            long bytes = 0;
            for (int i = 0; i < sizes.size(); i++) {
                bytes += sizes.get(i);
                if (bytes > MAX_BYTES && i > 0) {
                    return i;
                }
            }
            return limit;
        }

        private static List<Long> sizes(Connection connection, String from, int limit, Object... values)
                throws SQLException {
            Object[] all = Arrays.copyOf(values, values.length + 1);
            all[values.length] = limit;
            return Reads.list(
                    connection, "SELECT octet_length(e.payload_canonical)" + from, row -> row.getLong(1), all);
        }
    }
}
