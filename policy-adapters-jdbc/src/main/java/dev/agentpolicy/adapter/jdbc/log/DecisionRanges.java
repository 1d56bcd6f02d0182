package dev.agentpolicy.adapter.jdbc.log;

import dev.agentpolicy.adapter.jdbc.log.RowCache.Place;
import dev.agentpolicy.adapter.jdbc.sql.Filters;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Finds decisions by key and verdict. Those of one key with one verdict lie together in the index, newest last, so the
 * newest of several such ranges are among the newest of each. Events that are not in the index yet are few, and are
 * looked through.
 */
record DecisionRanges(Connection connection, Filters filters, UserId user, long from, int limit) {
    private static final int MAX_RANGES = 64;

    private static final String RANGE = "#.user_id = ? AND #.agent_key_id = ? AND #.allowed = ? AND #.seq >= ?"
            + " ORDER BY #.user_id DESC, #.agent_key_id DESC, #.allowed DESC, #.seq DESC LIMIT ?";

    private static final String BEHIND = "SELECT " + Place.COLUMNS + " FROM policy_event e WHERE e.user_id = ?"
            + " AND e.seq >= ? AND e.seq > ? AND e.agent_key_id = ANY(?) AND e.allowed = ANY(?)"
            + " ORDER BY e.user_id DESC, e.seq DESC LIMIT ?";

    List<Place> newest(List<UUID> keys, List<Boolean> verdicts) throws SQLException {
        List<Place> found = new ArrayList<>();
        OptionalLong end = filters.end(connection, user);
        if (end.isPresent()) {
            found.addAll(behind(end.getAsLong(), keys, verdicts));
        }
        List<Range> ranges = new ArrayList<>();
        keys.forEach(key -> verdicts.forEach(allowed -> ranges.add(new Range(key, allowed))));
        for (int i = 0; i < ranges.size(); i += MAX_RANGES) {
            found.addAll(read(ranges.subList(i, Math.min(i + MAX_RANGES, ranges.size()))));
        }
        return found.stream()
                .distinct()
                .sorted(Comparator.comparingLong(Place::seq).reversed())
                .limit(limit)
                .toList();
    }

    private List<Place> behind(long end, List<UUID> keys, List<Boolean> verdicts) throws SQLException {
        return Reads.list(
                connection,
                BEHIND,
                Place::read,
                user.value(),
                from,
                end,
                connection.createArrayOf("uuid", keys.toArray()),
                connection.createArrayOf("boolean", verdicts.toArray()),
                limit);
    }

    private List<Place> read(List<Range> ranges) throws SQLException {
        String range = "(" + filters.query(Place.COLUMNS, RANGE) + ")";
        String sql = String.join(" UNION ALL ", Collections.nCopies(ranges.size(), range));
        List<Object> values = new ArrayList<>();
        for (Range each : ranges) {
            Collections.addAll(values, user.value(), each.key, each.allowed, from, limit);
        }
        return Reads.list(connection, sql, Place::read, values.toArray());
    }

    private record Range(UUID key, boolean allowed) {}
}
