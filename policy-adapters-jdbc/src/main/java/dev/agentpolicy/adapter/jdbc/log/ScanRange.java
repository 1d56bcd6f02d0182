package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.sql.EventColumns;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.page.EventScan;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The rows of a scan. Each of its statements reads a range of an index, so its cost depends on the limit and not on the
 * length of the chain.
 */
record ScanRange(Connection connection, UserId user, EventScan scan) {
    private static final String COLUMNS = "e.seq, e.event_id, e.kind, e.created_at, e.payload_canonical, e.hash";
    private static final String ROWS =
            "SELECT " + COLUMNS + " FROM policy_event e WHERE e.user_id = ? AND e.seq >= ?" + " AND e.seq < ?";
    private static final String BY_SEQ = " ORDER BY e.user_id DESC, e.seq DESC LIMIT ?";
    /** Names every column of the index, since H2 uses an index for an order only then. */
    private static final String NO_DECISIONS = " AND e.agent_key_id IS NULL AND e.allowed IS NULL"
            + " ORDER BY e.user_id DESC, e.agent_key_id DESC, e.allowed DESC, e.seq DESC LIMIT ?";

    /** @param keys the ids of all keys of the user, asked for only if needed */
    List<ScannedRow> rows(KeyList keys) throws SQLException {
        if (!scan.isByDecision()) {
            return scan.decisions() ? inOrder() : scan.others() ? list(NO_DECISIONS) : List.of();
        }
        List<ScannedRow> found = new ArrayList<>(byDecision(keys));
        if (scan.others()) {
            found.addAll(list(NO_DECISIONS));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(ScannedRow::seq).reversed())
                .limit(scan.limit())
                .toList();
    }

    private List<ScannedRow> inOrder() throws SQLException {
        return scan.others()
                ? list(BY_SEQ)
                : list(" AND e.kind = " + EventColumns.kind(EventKind.GUARDRAIL_DECISION) + BY_SEQ);
    }

    private List<ScannedRow> list(String end) throws SQLException {
        return Reads.list(
                connection, ROWS + end, ScanRange::read, user.value(), scan.from(), scan.before(), scan.limit());
    }

    /** Finds the places first, since most rows of all ranges together are not among the newest. */
    private List<ScannedRow> byDecision(KeyList keys) throws SQLException {
        List<UUID> ofKeys = scan.agentKeyId() == null
                ? keys.read()
                : List.of(scan.agentKeyId().value());
        List<Boolean> verdicts = scan.allowed() == null ? List.of(true, false) : List.of(scan.allowed());
        SeqRange range = new SeqRange(scan.from(), scan.before());
        List<Place> places = new DecisionRanges(connection, user, range, scan.limit()).newest(ofKeys, verdicts);
        return Reads.list(
                connection,
                "SELECT " + COLUMNS + " FROM unnest(CAST(? AS bigint ARRAY)) AS n(s)"
                        + " JOIN policy_event e ON e.user_id = ? AND e.seq = n.s",
                ScanRange::read,
                connection.createArrayOf(
                        "bigint", places.stream().map(Place::seq).toArray()),
                user.value());
    }

    private static ScannedRow read(ResultSet row) throws SQLException {
        return new ScannedRow(
                row.getLong("seq"),
                row.getObject("event_id", UUID.class),
                EventColumns.kind(row),
                RowReader.instant(row, "created_at"),
                row.getString("payload_canonical"),
                EventColumns.hash(row, "hash"));
    }

    /** Reads the ids of keys. */
    interface KeyList {
        List<UUID> read() throws SQLException;
    }
}
