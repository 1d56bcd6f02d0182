package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Finds decisions by key and verdict. The decisions of one key with one verdict are one range of the index, so the newest
 * decisions of several ranges are among the newest of each.
 *
 * @param seqs which rows may be found
 */
record DecisionRanges(Connection connection, UserId user, SeqRange seqs, int limit) {
    private static final int MAX_RANGES = 64;

    private static final String RANGE = "(SELECT " + Place.COLUMNS + " FROM policy_event e"
            + " WHERE e.user_id = ? AND e.agent_key_id = ? AND e.allowed = ? AND e.seq >= ? AND e.seq < ?"
            + " ORDER BY e.user_id DESC, e.agent_key_id DESC, e.allowed DESC, e.seq DESC LIMIT ?)";

    List<Place> newest(List<UUID> keys, List<Boolean> verdicts) throws SQLException {
        List<Place> found = new ArrayList<>();
        List<Range> ranges = new ArrayList<>();
        keys.forEach(key -> verdicts.forEach(allowed -> ranges.add(new Range(key, allowed))));
        for (int i = 0; i < ranges.size(); i += MAX_RANGES) {
            found.addAll(read(ranges.subList(i, Math.min(i + MAX_RANGES, ranges.size()))));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Place::seq).reversed())
                .limit(limit)
                .toList();
    }

    private List<Place> read(List<Range> ranges) throws SQLException {
        String sql = String.join(" UNION ALL ", Collections.nCopies(ranges.size(), RANGE));
        List<Object> values = new ArrayList<>();
        for (Range each : ranges) {
            Collections.addAll(values, user.value(), each.key, each.allowed, seqs.from(), seqs.end(), limit);
        }
        return Reads.list(connection, sql, Place::read, values.toArray());
    }

    private record Range(UUID key, boolean allowed) {}
}
