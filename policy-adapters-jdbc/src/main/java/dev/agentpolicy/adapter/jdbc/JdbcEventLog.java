package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.EventKind;
import dev.agentpolicy.domain.event.EventPage;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.EventQuery.Order;
import dev.agentpolicy.domain.event.PolicyEvent;
import dev.agentpolicy.domain.port.EventLog;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Reads chains of any length by their indexes: no query walks further than its answer, but over other kinds of rows. */
record JdbcEventLog(Reads reads) implements EventLog {

    @Override
    public EventPage page(UserId user, EventQuery query) {
        boolean isAscending = query.order() == Order.ASC;
        String direction = isAscending ? "" : " DESC";
        String place = isAscending ? "seq > :after" : "seq < :after";
        String sql = "SELECT * FROM policy_event WHERE user_id = :user AND " + place + " AND seq >= :from"
                + kind(query, direction) + "seq" + direction + " LIMIT :limit";
        return reads.with(handle -> {
            Query rows = handle.createQuery(sql)
                    .bind("user", user.value())
                    .bind("after", query.after().orElse(isAscending ? 0 : Long.MAX_VALUE))
                    .bind(
                            "from",
                            query.since()
                                    .map(since -> firstSince(handle, user, since))
                                    .orElse(1L))
                    .bind("limit", query.limit() + 1);
            query.kind().ifPresent(kind -> rows.bind("kind", kind.wireName()));
            return EventPage.of(
                    query, rows.map((row, context) -> Rows.event(row)).list());
        });
    }

    @Override
    public ChainHead head(UserId user) {
        return AccountRow.find(reads, user).head();
    }

    @Override
    public List<PolicyEvent> decisions(UserId user, AuditQuery query) {
        return reads.with(handle -> {
            Instant since = query.since();
            long from = since == null ? 1 : firstSince(handle, user, Moments.after(since));
            if (query.agentKeyId() == null && query.allowed() == null) {
                return newest(handle, user, from, query.limit());
            }
            List<UUID> keys = query.agentKeyId() == null
                    ? keys(handle, user)
                    : List.of(query.agentKeyId().value());
            List<Boolean> verdicts = query.allowed() == null ? List.of(true, false) : List.of(query.allowed());
            return new DecisionRanges(handle, user, from, query.limit()).newest(keys, verdicts);
        });
    }

    /** Nearly every row of a chain is a decision, so these are found on the way along it. */
    private static List<PolicyEvent> newest(Handle handle, UserId user, long from, int limit) {
        return handle.createQuery("SELECT * FROM policy_event WHERE user_id = :user AND seq >= :from"
                        + " AND event_type = :kind ORDER BY user_id DESC, seq DESC LIMIT :limit")
                .bind("user", user.value())
                .bind("from", from)
                .bind("kind", EventKind.GUARDRAIL_DECISION.wireName())
                .bind("limit", limit)
                .map((row, context) -> Rows.event(row))
                .list();
    }

    /**
     * All other kinds lie together in the index of filters. The orders name every column of their index, those that do
     * not vary too: H2 uses an index for an order only if it is told all of it.
     */
    private static String kind(EventQuery query, String direction) {
        String byPlace = " ORDER BY user_id" + direction + ", ";
        if (query.kind().isEmpty()) {
            return byPlace;
        }
        if (query.kind().get() == EventKind.GUARDRAIL_DECISION) {
            return " AND event_type = :kind" + byPlace;
        }
        return " AND agent_key_id IS NULL AND allowed IS NULL AND event_type = :kind" + byPlace + "agent_key_id"
                + direction + ", allowed" + direction + ", ";
    }

    private static List<UUID> keys(Handle handle, UserId user) {
        return handle.createQuery("SELECT agent_key_id FROM agent_key WHERE user_id = :user")
                .bind("user", user.value())
                .map((row, context) -> row.getObject(1, UUID.class))
                .list();
    }

    /** The first seq whose row is not before a moment, by halving: time never runs backwards along a chain. */
    private static long firstSince(Handle handle, UserId user, Instant since) {
        Instant moment = Moments.atOrAfter(since);
        long low = 1;
        long high = 1 + length(handle, user);
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (createdAt(handle, user, middle).isBefore(moment)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long length(Handle handle, UserId user) {
        return handle.createQuery("SELECT chain_seq FROM account WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    private static Instant createdAt(Handle handle, UserId user, long seq) {
        return handle.createQuery("SELECT created_at FROM policy_event WHERE user_id = :user AND seq = :seq")
                .bind("user", user.value())
                .bind("seq", seq)
                .map((row, context) -> Rows.instant(row, "created_at"))
                .one();
    }
}
