package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.KnownRows.Key;
import dev.agentpolicy.adapter.jdbc.KnownRows.Place;
import dev.agentpolicy.adapter.jdbc.KnownRows.Row;
import dev.agentpolicy.adapter.jdbc.Stretch.Newest;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.AuditQuery;
import dev.agentpolicy.domain.event.ChainHead;
import dev.agentpolicy.domain.event.EventKind;
import dev.agentpolicy.domain.event.EventPage;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.EventQuery.Order;
import dev.agentpolicy.domain.event.LoggedDecision;
import dev.agentpolicy.domain.port.EventLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads chains of any length by their indexes: no query walks further than its answer, but over other kinds of rows. */
final class JdbcEventLog implements EventLog {
    private final Reads reads;
    private final KnownRows rows;
    private final Together<Newest, List<LoggedDecision>> latest;

    JdbcEventLog(Reads reads, KnownRows rows, Asking asking) {
        this.reads = reads;
        this.rows = rows;
        this.latest = asking.together(this::newest);
    }

    @Override
    public EventPage page(UserId user, EventQuery query) {
        return reads.connected(connection -> page(connection, user, query));
    }

    @Override
    public HeadedPage headedPage(UserId user, EventQuery query) {
        return reads.connected(connection -> {
            EventPage page = page(connection, user, query);
            return new HeadedPage(page, AccountRow.find(connection, user).head());
        });
    }

    /** What is stored, never what is remembered: by these rows a reader finds out whether anybody touched them. */
    private static EventPage page(Connection connection, UserId user, EventQuery query) throws SQLException {
        boolean isAscending = query.order() == Order.ASC;
        String direction = isAscending ? "" : " DESC";
        String place = isAscending ? "seq > ?" : "seq < ?";
        String sql = "SELECT " + Rows.EVENT + " FROM policy_event WHERE user_id = ? AND " + place + " AND seq >= ?"
                + kind(query, direction) + "seq" + direction + " LIMIT ?";
        List<Object> values = new ArrayList<>();
        values.add(user.value());
        values.add(query.after().orElse(isAscending ? 0 : Long.MAX_VALUE));
        values.add(firstSince(
                connection, user, query.since().map(Moments::atOrAfter).orElse(null)));
        query.kind().ifPresent(kind -> values.add(kind.wireName()));
        values.add(query.limit() + 1);
        return EventPage.of(query, Reads.list(connection, sql, row -> Rows.event(user, row), values.toArray()));
    }

    @Override
    public ChainHead head(UserId user) {
        return AccountRow.find(reads, user).head();
    }

    @Override
    public List<LoggedDecision> decisions(UserId user, AuditQuery query) {
        if (query.isFiltered()) {
            return reads.connected(connection -> told(rows.at(connection, filtered(connection, user, query))));
        }
        Newest newest = new Newest(user, query.limit());
        return newest(List.of(newest)).getOrDefault(newest, List.of());
    }

    @Override
    public CompletionStage<List<LoggedDecision>> latest(UserId user, int limit) {
        return latest.ask(new Newest(user, limit)).thenApply(found -> found.orElse(List.of()));
    }

    private Map<Newest, List<LoggedDecision>> newest(Collection<Newest> asked) {
        return reads.connected(connection -> {
            List<Stretch> stretches = Stretch.find(connection, asked);
            Map<Key, Row> last = rows.find(
                    connection,
                    stretches.stream().flatMap(it -> it.places().stream()).toList());
            Map<Newest, List<LoggedDecision>> found = new HashMap<>();
            for (Stretch stretch : stretches) {
                found.put(stretch.of(), told(decisions(connection, stretch, last)));
            }
            return found;
        });
    }

    /** Nearly every row of a chain is a decision, so the last rows are tried first. */
    private List<Row> decisions(Connection connection, Stretch stretch, Map<Key, Row> last) throws SQLException {
        int limit = stretch.of().most();
        List<Row> decisions = KnownRows.inOrder(stretch.places(), last).stream()
                .filter(Row::isDecision)
                .toList();
        boolean isAll = decisions.size() == limit || stretch.isFromTheBeginning();
        return isAll
                ? decisions
                : rows.at(connection, newest(connection, stretch.of().user(), 1, limit));
    }

    private static List<LoggedDecision> told(List<Row> rows) {
        return rows.stream().flatMap(row -> row.decision().stream()).toList();
    }

    private static List<Place> filtered(Connection connection, UserId user, AuditQuery query) throws SQLException {
        Instant since = query.since();
        long from = firstSince(connection, user, since == null ? null : Moments.after(since));
        return places(connection, user, from, query);
    }

    private static List<Place> places(Connection connection, UserId user, long from, AuditQuery query)
            throws SQLException {
        if (query.agentKeyId() == null && query.allowed() == null) {
            return newest(connection, user, from, query.limit());
        }
        List<UUID> keys = query.agentKeyId() == null
                ? keys(connection, user)
                : List.of(query.agentKeyId().value());
        List<Boolean> verdicts = query.allowed() == null ? List.of(true, false) : List.of(query.allowed());
        return new DecisionRanges(connection, user, from, query.limit()).newest(keys, verdicts);
    }

    private static List<Place> newest(Connection connection, UserId user, long from, int limit) throws SQLException {
        return Reads.list(
                connection,
                "SELECT " + Place.COLUMNS + " FROM policy_event WHERE user_id = ? AND seq >= ? AND event_type = ?"
                        + " ORDER BY user_id DESC, seq DESC LIMIT ?",
                Place::read,
                user.value(),
                from,
                EventKind.GUARDRAIL_DECISION.wireName(),
                limit);
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
            return " AND event_type = ?" + byPlace;
        }
        return " AND agent_key_id IS NULL AND allowed IS NULL AND event_type = ?" + byPlace + "agent_key_id" + direction
                + ", allowed" + direction + ", ";
    }

    private static List<UUID> keys(Connection connection, UserId user) throws SQLException {
        return Reads.list(
                connection,
                "SELECT agent_key_id FROM agent_key WHERE user_id = ?",
                row -> row.getObject(1, UUID.class),
                user.value());
    }

    /** The first seq whose row is not before a moment, by halving: time never runs backwards along a chain. */
    private static long firstSince(Connection connection, UserId user, @Nullable Instant moment) throws SQLException {
        long low = 1;
        long high = moment == null ? 1 : 1 + length(connection, user);
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (createdAt(connection, user, middle).isBefore(moment)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long length(Connection connection, UserId user) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT seq FROM policy_event WHERE user_id = ? ORDER BY user_id DESC, seq DESC LIMIT 1",
                        row -> row.getLong(1),
                        user.value())
                .stream()
                .findFirst()
                .orElse(0L);
    }

    private static Instant createdAt(Connection connection, UserId user, long seq) throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT created_at FROM policy_event WHERE user_id = ? AND seq = ?",
                        row -> Rows.instant(row, "created_at"),
                        user.value(),
                        seq)
                .get(0);
    }
}
