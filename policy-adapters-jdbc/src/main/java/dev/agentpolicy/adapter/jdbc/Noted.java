package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.Call;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/** What calls add up to that are noted and not yet written; grows with users, keys and routes, not with calls. */
final class Noted {
    private final Map<Day, DayCount> days = new HashMap<>();
    private final Map<Route, Count> routes = new HashMap<>();
    private final Map<UserId, RecentCalls> recent = new HashMap<>();

    /**
     * Adds a call.
     *
     * @return whether there was room for it
     */
    boolean add(Call call, int mostRows) {
        Day day = new Day(call.userId(), LocalDate.ofInstant(call.at(), ZoneOffset.UTC));
        Route route = new Route(day, call.agentKeyId(), call.path());
        if (rows() >= mostRows && !routes.containsKey(route)) {
            return false;
        }
        routes.computeIfAbsent(route, any -> new Count()).add(call);
        DayCount count = days.computeIfAbsent(day, any -> new DayCount());
        count.calls.add(call);
        count.latencies.add(call.latencyMicros(), 1);
        recent.computeIfAbsent(call.userId(), any -> new RecentCalls()).add(call);
        return true;
    }

    int rows() {
        return days.size() + routes.size();
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

    Map<Route, Count> routes() {
        return routes;
    }

    Map<UserId, RecentCalls> recent() {
        return recent;
    }

    /** One user's day (UTC). */
    record Day(UserId user, LocalDate date) {}

    /** One route as called with one key. */
    record Route(Day day, AgentKeyId agentKeyId, String path) {}

    /** Calls, and how many of them were errors. */
    static final class Count {
        private long total;
        private long errors;

        private void add(Call call) {
            total++;
            errors += call.isError() ? 1 : 0;
        }

        long total() {
            return total;
        }

        long errors() {
            return errors;
        }
    }

    /** Calls of a day and how long they took. */
    static final class DayCount {
        private final Count calls = new Count();
        private final LatencySketch latencies = LatencySketch.empty();

        Count calls() {
            return calls;
        }

        LatencySketch latencies() {
            return latencies;
        }
    }
}
