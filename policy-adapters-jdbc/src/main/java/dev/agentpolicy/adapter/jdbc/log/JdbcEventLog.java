package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor;
import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.adapter.jdbc.log.PlaceReader.NewestRows;
import dev.agentpolicy.adapter.jdbc.log.PlaceReader.Span;
import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.log.RowCache.Row;
import dev.agentpolicy.adapter.jdbc.log.RowCache.RowKey;
import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.KeyNumbers;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.LoggedDecision;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventScan;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.ChainVersion;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads events by indexes; the cost of a page does not grow with the length of the chain. */
public final class JdbcEventLog implements EventLog {
    private final Reads reads;
    private final KeyNumbers keys;
    private final RowCache rows;
    private final BatchingReader<Span, List<LoggedDecision>> latest;

    public JdbcEventLog(Reads reads, KeyNumbers keys, QueryExecutor queries) {
        this.reads = reads;
        this.keys = keys;
        this.rows = new RowCache(reads.dialect(), keys);
        this.latest = queries.batching(this::newest, reads.dialect().askedTogether());
    }

    /** Forgets every cached row, for when the database may be another one than before. */
    public void forget() {
        rows.forget();
    }

    @Override
    public EventPage page(UserId user, EventQuery query) {
        return reads.connected(connection -> page(connection, user, query));
    }

    @Override
    public PageWithHead headedPage(UserId user, EventQuery query) {
        return reads.connected(connection -> {
            ChainHead head = AccountRow.find(connection, user).head();
            EventPage page = page(connection, user, query.upTo(head.seq())).upTo(head.seq());
            return new PageWithHead(SignedPage.of(page), head);
        });
    }

    private EventPage page(Connection connection, UserId user, EventQuery query) throws SQLException {
        long since = firstSince(
                connection, user, query.since().map(Timestamps::atOrAfter).orElse(null));
        EventRange range = new EventRange(connection, keys, user, query, since).fitting();
        EventPage page = EventPage.of(range.query(), range.rows());
        return JdbcErasures.explained(connection, user, page);
    }

    @Override
    public List<PolicyEvent> headers(UserId user, long from, long to) {
        return reads.list(
                "SELECT " + RowReader.LINKED_HEADER
                        + " FROM policy_event e WHERE e.user_id = ? AND e.seq BETWEEN ? AND ?"
                        + " ORDER BY e.user_id, e.seq",
                row -> RowReader.event(keys, user, row),
                user.value(),
                user.value(),
                from,
                to);
    }

    @Override
    public List<ScannedRow> scan(UserId user, EventScan scan) {
        return reads.connected(connection -> new ScanRange(connection, user, scan).rows());
    }

    @Override
    public List<ScannedRow> decisions(UserId user, long from, long end) {
        int most = Math.toIntExact(Math.min(end - from, EventQuery.MAX_LIMIT));
        EventScan range = new EventScan(from, end, most, true, false, null, null);
        return reads.connected(connection -> new ScanRange(connection, user, range).oldestDecisions());
    }

    @Override
    public OptionalLong decisionBefore(UserId user, long from, int newer) {
        return reads.first(
                        "SELECT e.seq FROM policy_event e WHERE e.user_id = ? AND e.seq >= ? AND e.kind = ?"
                                + " ORDER BY e.user_id DESC, e.seq DESC LIMIT 1 OFFSET ?",
                        row -> row.getLong(1),
                        user.value(),
                        from,
                        EventColumns.kind(EventKind.GUARDRAIL_DECISION),
                        newer)
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    @Override
    public long firstSince(UserId user, Instant time) {
        return reads.connected(connection -> firstSince(connection, user, Timestamps.atOrAfter(time)));
    }

    @Override
    public ChainHead head(UserId user) {
        return AccountRow.find(reads, user).head();
    }

    @Override
    public ChainVersion version(UserId user) {
        return reads.connected(connection ->
                new ChainVersion(AccountRow.find(connection, user).head(), JdbcErasures.count(connection, user)));
    }

    @Override
    public List<LoggedDecision> decisions(UserId user, AuditQuery query) {
        if (query.isFiltered()) {
            return reads.connected(connection -> told(rows.at(connection, filtered(connection, user, query))));
        }
        Span newest = new Span(user, query.limit());
        return newest(List.of(newest)).getOrDefault(newest, List.of());
    }

    @Override
    public CompletionStage<List<LoggedDecision>> latest(UserId user, int limit) {
        return latest.find(new Span(user, limit)).thenApply(found -> found.orElse(List.of()));
    }

    private Map<Span, List<LoggedDecision>> newest(Collection<Span> spans) {
        return reads.connected(connection -> {
            List<NewestRows> newest = new PlaceReader(connection).newest(reads.dialect(), spans);
            Map<RowKey, Row> last = rows.find(
                    connection,
                    newest.stream().flatMap(it -> it.places().stream()).toList());
            Map<Span, List<LoggedDecision>> found = new HashMap<>();
            for (NewestRows each : newest) {
                found.put(each.of(), told(decisions(connection, each, last)));
            }
            return found;
        });
    }

    /** Nearly every row of a chain is a decision, so the last rows are tried first. */
    private List<Row> decisions(Connection connection, NewestRows newest, Map<RowKey, Row> last) throws SQLException {
        int limit = newest.of().most();
        List<Row> decisions = RowCache.inOrder(newest.places(), last).stream()
                .filter(Row::isDecision)
                .toList();
        return decisions.size() == limit || newest.isWholeChain()
                ? decisions
                : rows.at(
                        connection,
                        new PlaceReader(connection).decisions(newest.of().user(), 1, Long.MAX_VALUE, limit));
    }

    private static List<LoggedDecision> told(List<Row> rows) {
        return rows.stream().flatMap(row -> row.decision().stream()).toList();
    }

    private static List<Place> filtered(Connection connection, UserId user, AuditQuery query) throws SQLException {
        Instant since = query.since();
        long from = firstSince(connection, user, since == null ? null : Timestamps.after(since));
        long end = query.before() == null ? Long.MAX_VALUE : query.before();
        PlaceReader places = new PlaceReader(connection);
        if (query.agentKeyId() == null && query.allowed() == null) {
            return places.decisions(user, from, end, query.limit());
        }
        List<UUID> keys = query.agentKeyId() == null
                ? places.keys(user)
                : List.of(query.agentKeyId().value());
        return places.decisions(user, keys, query.allowed(), from, end, query.limit());
    }

    /** The first seq whose row is not before a time, by binary search: times never decrease along a chain. */
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
                        row -> RowReader.instant(row, "created_at"),
                        user.value(),
                        seq)
                .get(0);
    }
}
