package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.log.EventRange.PayloadBudget;
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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The rows of a scan. Each of its statements reads a range of an index, so its cost depends on the limit and not on the
 * length of the chain.
 */
record ScanRange(Connection connection, UserId user, EventScan scan) {
    private static final String COLUMNS = "e.seq, e.event_id, e.kind, e.created_at, e.payload_canonical, e.hash";
    private static final String OF_RANGE = " FROM policy_event e WHERE e.user_id = ? AND e.seq >= ? AND e.seq < ?";
    private static final String DECISIONS = " AND e.kind = " + EventColumns.kind(EventKind.GUARDRAIL_DECISION);
    private static final String OLDEST_FIRST = " ORDER BY e.user_id, e.seq LIMIT ?";
    private static final String BY_SEQ = " ORDER BY e.user_id DESC, e.seq DESC LIMIT ?";
    /** Names every column of the index, since H2 uses an index for an order only then. */
    private static final String NO_DECISIONS = " AND e.agent_key_id IS NULL AND e.allowed IS NULL"
            + " ORDER BY e.user_id DESC, e.agent_key_id DESC, e.allowed DESC, e.seq DESC LIMIT ?";

    private static final String OF_PLACES = " FROM unnest(CAST(? AS bigint ARRAY)) AS n(s)"
            + " JOIN policy_event e ON e.user_id = ? AND e.seq = n.s ORDER BY e.seq DESC LIMIT ?";

    /**
     * The newest rows of a part of the scan.
     *
     * @param end rows before it may be missing, because the others are all that is read together
     */
    private record NewestFirst(List<ScannedRow> rows, long end) {}

    List<ScannedRow> rows() throws SQLException {
        if (!scan.isByDecision()) {
            return scan.decisions() ? inOrder() : scan.others() ? list(NO_DECISIONS).rows : List.of();
        }
        NewestFirst decisions = byDecision();
        if (!scan.others()) {
            return decisions.rows;
        }
        NewestFirst others = list(NO_DECISIONS);
        long end = Math.max(decisions.end, others.end);
        return Stream.concat(decisions.rows.stream(), others.rows.stream())
                .filter(row -> row.seq() >= end)
                .sorted(Comparator.comparingLong(ScannedRow::seq).reversed())
                .limit(scan.limit())
                .toList();
    }

    private List<ScannedRow> inOrder() throws SQLException {
        return list((scan.others() ? "" : DECISIONS) + BY_SEQ).rows;
    }

    /** The oldest decisions of the range, oldest first. */
    List<ScannedRow> oldestDecisions() throws SQLException {
        return list(DECISIONS + OLDEST_FIRST).rows;
    }

    private NewestFirst list(String end) throws SQLException {
        return read(OF_RANGE + end, user.value(), scan.from(), scan.before());
    }

    /** Finds the places first, since most rows of all ranges together are not among the newest. */
    private NewestFirst byDecision() throws SQLException {
        PlaceReader places = new PlaceReader(connection);
        List<UUID> keys = scan.agentKeyId() == null
                ? places.keys(user)
                : List.of(scan.agentKeyId().value());
        Object[] seqs = places.decisions(user, keys, scan.allowed(), scan.from(), scan.before(), scan.limit()).stream()
                .map(Place::seq)
                .toArray();
        return read(OF_PLACES, connection.createArrayOf("bigint", seqs), user.value());
    }

    /** Reads as many of the rows of a query as fit into memory together. */
    private NewestFirst read(String from, Object... values) throws SQLException {
        int fitting = PayloadBudget.fitting(connection, from, scan.limit(), values);
        Object[] all = Arrays.copyOf(values, values.length + 1);
        all[values.length] = fitting;
        List<ScannedRow> rows = Reads.list(connection, "SELECT " + COLUMNS + from, ScanRange::read, all);
        return new NewestFirst(
                rows,
                fitting == scan.limit()
                        ? scan.from()
                        : rows.get(rows.size() - 1).seq());
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
}
