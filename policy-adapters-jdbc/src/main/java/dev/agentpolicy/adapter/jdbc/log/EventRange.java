package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.sql.Filters;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Order;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The rows of a page, and one more if there is one: what is stored, never what is remembered, since by these rows a reader
 * finds out whether anybody touched them.
 *
 * @param since the first place that may be among them
 */
record EventRange(Connection connection, Filters filters, UserId user, EventQuery query, long since) {

    /** Nearly all rows are decisions, so these and all rows are found by their places, and the few others by an index. */
    List<PolicyEvent> rows() throws SQLException {
        EventKind kind = query.kind().orElse(EventKind.GUARDRAIL_DECISION);
        if (kind == EventKind.GUARDRAIL_DECISION) {
            return byPlace(since);
        }
        OptionalLong end = filters.end(connection, user);
        List<PolicyEvent> behind = end.isPresent() ? byPlace(Math.max(since, end.getAsLong() + 1)) : List.of();
        Comparator<PolicyEvent> order = Comparator.comparingLong(PolicyEvent::seq);
        return Stream.concat(behind.stream(), others().stream())
                .distinct()
                .sorted(isAscending() ? order : order.reversed())
                .limit(most())
                .toList();
    }

    private List<PolicyEvent> byPlace(long first) throws SQLException {
        String conditions = "e.user_id = ? AND e.seq " + beyond() + " ? AND e.seq >= ?"
                + (query.kind().isEmpty() ? "" : " AND event_type = ?");
        return list(
                "SELECT " + RowReader.EVENT + " FROM policy_event e WHERE " + conditions
                        + ordered("e.user_id", "e.seq"),
                first);
    }

    /**
     * All that are no decisions lie together in the index. The order names every column of it, those that do not vary too:
     * H2 uses an index for an order only if it is told all of it.
     */
    private List<PolicyEvent> others() throws SQLException {
        String conditions = "#.user_id = ? AND #.seq " + beyond() + " ? AND #.seq >= ?"
                + " AND #.agent_key_id IS NULL AND #.allowed IS NULL AND event_type = ?";
        return list(
                filters.query(
                        RowReader.EVENT, conditions + ordered("#.user_id", "#.agent_key_id", "#.allowed", "#.seq")),
                since);
    }

    private List<PolicyEvent> list(String sql, long first) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(user.value());
        values.add(query.after().orElse(isAscending() ? 0 : Long.MAX_VALUE));
        values.add(first);
        query.kind().ifPresent(kind -> values.add(kind.wireName()));
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
