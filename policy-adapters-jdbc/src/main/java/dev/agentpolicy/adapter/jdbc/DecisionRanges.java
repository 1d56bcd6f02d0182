package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.adapter.jdbc.KnownRows.Place;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Finds decisions by key and verdict. Those of one key with one verdict lie together in the index, newest last, so the
 * newest of several such ranges are among the newest of each.
 */
record DecisionRanges(Connection connection, UserId user, long from, int limit) {
    private static final int MOST_RANGES = 64;

    private static final String RANGE = "(SELECT " + Place.COLUMNS + " FROM policy_event WHERE user_id = ?"
            + " AND agent_key_id = ? AND allowed = ? AND seq >= ?"
            + " ORDER BY user_id DESC, agent_key_id DESC, allowed DESC, seq DESC LIMIT ?)";

    List<Place> newest(List<UUID> keys, List<Boolean> verdicts) throws SQLException {
        List<Range> ranges = new ArrayList<>();
        keys.forEach(key -> verdicts.forEach(allowed -> ranges.add(new Range(key, allowed))));
        List<Place> found = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i += MOST_RANGES) {
            found.addAll(read(ranges.subList(i, Math.min(i + MOST_RANGES, ranges.size()))));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(Place::seq).reversed())
                .limit(limit)
                .toList();
    }

    private List<Place> read(List<Range> ranges) throws SQLException {
        String sql = String.join(" UNION ALL ", Collections.nCopies(ranges.size(), RANGE));
        List<Object> values = new ArrayList<>();
        for (Range range : ranges) {
            Collections.addAll(values, user.value(), range.key, range.allowed, from, limit);
        }
        return Reads.list(connection, sql, Place::read, values.toArray());
    }

    private record Range(UUID key, boolean allowed) {}
}
