package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Filters;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rows of a page, and one more if there is one: what is stored, never what is remembered, since by these rows a reader
 * finds out whether anybody touched them.
 *
 * @param since the first place that may be among them
 */
record EventRange(Connection connection, Filters filters, UserId user, EventQuery query, long since) {

    List<PolicyEvent> rows() throws SQLException {
        EventKind kind = query.kind().orElse(null);
        if (kind == null) {
            return all();
        }
        // Nearly all rows are decisions, which are found by their places, and the few others by an index.
        if (kind == EventKind.GUARDRAIL_DECISION) {
            return ofKind(since);
        }
        OptionalLong end = filters.end(connection, user);
        List<PolicyEvent> behind = end.isPresent() ? ofKind(Math.max(since, end.getAsLong() + 1)) : List.of();
        Comparator<PolicyEvent> order = Comparator.comparingLong(PolicyEvent::seq);
        return Stream.concat(behind.stream(), others().stream())
                .distinct()
                .sorted(isAscending() ? order : order.reversed())
                .limit(most())
                .toList();
    }

    /** Rows of every kind. The query also returns the row before the first one, which has the previous hash of that row. */
    private List<PolicyEvent> all() throws SQLException {
        long before = Math.max(since - 1, isAscending() ? query.after().orElse(0) : 0);
        long end = isAscending() ? Long.MAX_VALUE : query.after().orElse(Long.MAX_VALUE);
        List<PolicyEvent> rows = Reads.list(
                connection,
                "SELECT " + RowReader.EVENT + ", k.kid FROM policy_event e"
                        + " LEFT JOIN signing_key k ON k.id = e.signing_key"
                        + " WHERE e.user_id = ? AND e.seq >= ? AND e.seq < ?" + ordered("e.user_id", "e.seq"),
                row -> RowReader.event(user, row, ChainHead.GENESIS_HASH),
                user.value(),
                before,
                end,
                most() + 1);
        Map<Long, String> hashes = rows.stream().collect(Collectors.toMap(PolicyEvent::seq, PolicyEvent::hash));
        return rows.stream()
                .filter(row -> row.seq() > before)
                .limit(most())
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

    private List<PolicyEvent> ofKind(long first) throws SQLException {
        return list(
                "SELECT " + RowReader.LINKED_EVENT + " FROM policy_event e WHERE e.user_id = ? AND e.seq " + beyond()
                        + " ? AND e.seq >= ? AND e.kind = ?" + ordered("e.user_id", "e.seq"),
                first);
    }

    /**
     * All that are no decisions lie together in the index. The order names every column of it, those that do not vary too:
     * H2 uses an index for an order only if it is told all of it.
     */
    private List<PolicyEvent> others() throws SQLException {
        String conditions = "#.user_id = ? AND #.seq " + beyond() + " ? AND #.seq >= ?"
                + " AND #.agent_key_id IS NULL AND #.allowed IS NULL AND e.kind = ?";
        return list(
                filters.query(
                        RowReader.LINKED_EVENT,
                        conditions + ordered("#.user_id", "#.agent_key_id", "#.allowed", "#.seq")),
                since);
    }

    private List<PolicyEvent> list(String sql, long first) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(user.value());
        values.add(query.after().orElse(isAscending() ? 0 : Long.MAX_VALUE));
        values.add(first);
        query.kind().map(EventColumns::kind).ifPresent(values::add);
        values.add(most());
        return Reads.list(connection, sql, row -> RowReader.event(user, row), values.toArray());
    }

    private String ordered(String... columns) {
        String direction = isAscending() ? "" : " DESC";
        return " ORDER BY " + String.join(direction + ", ", columns) + direction + " LIMIT ?";
    }

    private String beyond() {
        return isAscending() ? ">" : "<";
    }

    private boolean isAscending() {
        return query.order() == Order.ASC;
    }

    private int most() {
        return query.limit() + 1;
    }
}
