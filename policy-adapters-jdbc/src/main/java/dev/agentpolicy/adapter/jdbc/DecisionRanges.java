package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.PolicyEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Reads decisions by key and verdict. Those of one key with one verdict lie together in the index, newest last, so the
 * newest of several such ranges are among the newest of each.
 */
record DecisionRanges(Handle handle, UserId user, long from, int limit) {
    private static final int MOST_RANGES = 64;

    List<PolicyEvent> newest(List<UUID> keys, List<Boolean> verdicts) {
        List<Range> ranges = new ArrayList<>();
        keys.forEach(key -> verdicts.forEach(allowed -> ranges.add(new Range(key, allowed))));
        List<PolicyEvent> found = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i += MOST_RANGES) {
            found.addAll(read(ranges.subList(i, Math.min(i + MOST_RANGES, ranges.size()))));
        }
        return found.stream()
                .sorted(Comparator.comparingLong(PolicyEvent::seq).reversed())
                .limit(limit)
                .toList();
    }

    private List<PolicyEvent> read(List<Range> ranges) {
        String sql = IntStream.range(0, ranges.size())
                .mapToObj(i -> "(SELECT * FROM policy_event WHERE user_id = :user AND agent_key_id = :key" + i
                        + " AND allowed = :allowed" + i + " AND seq >= :from"
                        + " ORDER BY user_id DESC, agent_key_id DESC, allowed DESC, seq DESC LIMIT :limit)")
                .collect(Collectors.joining(" UNION ALL "));
        Query query = handle.createQuery(sql)
                .bind("user", user.value())
                .bind("from", from)
                .bind("limit", limit);
        for (int i = 0; i < ranges.size(); i++) {
            query.bind("key" + i, ranges.get(i).key).bind("allowed" + i, ranges.get(i).allowed);
        }
        return query.map((row, context) -> Rows.event(row)).list();
    }

    private record Range(UUID key, boolean allowed) {}
}
