package dev.agentpolicy.adapter.jdbc.log;

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
import java.util.List;

/**
 * The rows of a page, and one more if there is one. They are always read from the database and never cached, so that a
 * reader who verifies the chain sees what is stored.
 *
 * @param since the first seq that may be among the rows
 */
record EventRange(Connection connection, UserId user, EventQuery query, long since) {

    /** Nearly all rows are decisions: these and unfiltered rows are read in chain order, other kinds by an index. */
    List<PolicyEvent> rows() throws SQLException {
        boolean isInChainOrder = query.kind().orElse(EventKind.GUARDRAIL_DECISION) == EventKind.GUARDRAIL_DECISION;
        return isInChainOrder ? inChainOrder() : others();
    }

    private List<PolicyEvent> inChainOrder() throws SQLException {
        String conditions = "e.user_id = ? AND e.seq " + beyond() + " ? AND e.seq >= ?"
                + (query.kind().isEmpty() ? "" : " AND event_type = ?");
        return list("SELECT " + RowReader.EVENT + " FROM policy_event e WHERE " + conditions
                + ordered("e.user_id", "e.seq"));
    }

    /**
     * Events that are no decisions lie together in the index. The order names every column of the index, also those that
     * do not vary, since H2 uses an index for an order only then.
     */
    private List<PolicyEvent> others() throws SQLException {
        String conditions = "e.user_id = ? AND e.seq " + beyond() + " ? AND e.seq >= ?"
                + " AND e.agent_key_id IS NULL AND e.allowed IS NULL AND event_type = ?";
        return list("SELECT " + RowReader.EVENT + " FROM policy_event e WHERE " + conditions
                + ordered("e.user_id", "e.agent_key_id", "e.allowed", "e.seq"));
    }

    private List<PolicyEvent> list(String sql) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(user.value());
        values.add(query.after().orElse(isAscending() ? 0 : Long.MAX_VALUE));
        values.add(since);
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
