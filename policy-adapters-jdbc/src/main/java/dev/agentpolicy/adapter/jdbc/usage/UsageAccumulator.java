package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/** The sums of calls that are not written yet. Grows with users, keys and routes, not with calls. */
final class UsageAccumulator {
    private final Map<Day, DayCount> days = new HashMap<>();
    private final Map<DayOf<String>, Long> paths = new HashMap<>();
    private final Map<DayOf<AgentKeyId>, Long> keys = new HashMap<>();
    private final Map<UserId, RecentCalls> recent = new HashMap<>();

    /**
     * Adds a call.
     *
     * @param maxRows above which no new row is begun
     * @return whether there was room for the call
     */
    boolean add(CallRecord call, int maxRows) {
        Day day = new Day(call.userId(), LocalDate.ofInstant(call.at(), ZoneOffset.UTC));
        DayOf<String> path = new DayOf<>(day, call.path());
        DayOf<AgentKeyId> key = new DayOf<>(day, call.agentKeyId());
        if (rows() >= maxRows && !(paths.containsKey(path) && keys.containsKey(key))) {
            return false;
        }
        paths.merge(path, 1L, Long::sum);
        keys.merge(key, 1L, Long::sum);
        days.computeIfAbsent(day, any -> new DayCount()).add(call);
        recent.computeIfAbsent(call.userId(), any -> new RecentCalls()).add(call);
        return true;
    }

    int rows() {
        return days.size() + paths.size() + keys.size();
    }

    boolean isEmpty() {
        return recent.isEmpty();
    }

    boolean has(UserId user) {
        return recent.containsKey(user);
    }

    Map<Day, DayCount> days() {
        return days;
    }

    /** Calls by path. */
    Map<DayOf<String>, Long> paths() {
        return paths;
    }

    /** Calls by key. */
    Map<DayOf<AgentKeyId>, Long> keys() {
        return keys;
    }

    Map<UserId, RecentCalls> recent() {
        return recent;
    }

    /** One user's day (UTC). */
    record Day(UserId user, LocalDate date) {}

    /** A path or a key of one user's day. */
    record DayOf<N>(Day day, N name) {}

    /** The number of calls and errors of a day, and the latencies. */
    static final class DayCount {
        private final LatencySketch latencies = LatencySketch.empty();
        private long total;
        private long errors;

        private void add(CallRecord call) {
            total++;
            errors += call.isError() ? 1 : 0;
            latencies.add(call.latencyMicros(), 1);
        }

        long total() {
            return total;
        }

        long errors() {
            return errors;
        }

        LatencySketch latencies() {
            return latencies;
        }
    }
}
