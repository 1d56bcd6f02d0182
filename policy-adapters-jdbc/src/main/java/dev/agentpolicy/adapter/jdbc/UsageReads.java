package dev.agentpolicy.adapter.jdbc;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.Call;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.Day;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Reads what one user's calls add up to: one row a day, one a day for each key and route, one for the last calls. */
record UsageReads(Handle handle, UserId user, LocalDate first, LocalDate last) {
    private static final double HALF = 50;
    private static final double MOST = 95;

    UsageReport report() {
        Map<LocalDate, StoredDay> days = days();
        Map<String, Long> paths = new HashMap<>();
        Map<AgentKeyId, Long> keys = new HashMap<>();
        addRoutes(paths, keys);
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                totals(days),
                series(days),
                top(paths)
                        .map(path -> new PathCount(path.getKey(), path.getValue()))
                        .toList(),
                top(keys).map(key -> new KeyCount(key.getKey(), key.getValue())).toList(),
                recent());
    }

    private Map<LocalDate, StoredDay> days() {
        Map<LocalDate, StoredDay> days = new HashMap<>();
        query("SELECT * FROM usage_day WHERE user_id = :user AND call_day BETWEEN :first AND :last")
                .map((row, context) -> Map.entry(StoredDay.date(row), StoredDay.read(row)))
                .forEach(day -> days.put(day.getKey(), day.getValue()));
        return days;
    }

    private static Totals totals(Map<LocalDate, StoredDay> days) {
        LatencySketch latencies = LatencySketch.sum();
        days.values().forEach(day -> latencies.add(day.latencies()));
        return new Totals(
                days.values().stream().mapToLong(StoredDay::total).sum(),
                days.values().stream().mapToLong(StoredDay::errors).sum(),
                latencies.millisAt(HALF),
                latencies.millisAt(MOST));
    }

    private List<Day> series(Map<LocalDate, StoredDay> days) {
        return first.datesUntil(last.plusDays(1))
                .map(date -> {
                    StoredDay day = days.getOrDefault(date, StoredDay.none());
                    return new Day(date, day.total(), day.errors());
                })
                .toList();
    }

    private void addRoutes(Map<String, Long> paths, Map<AgentKeyId, Long> keys) {
        query("SELECT agent_key_id, path, SUM(total) AS calls FROM usage_route"
                        + " WHERE user_id = :user AND call_day BETWEEN :first AND :last GROUP BY agent_key_id, path")
                .map((row, context) -> new Route(Rows.agentKeyId(row), row.getString("path"), row.getLong("calls")))
                .forEach(route -> {
                    paths.merge(route.path, route.calls, Long::sum);
                    keys.merge(route.key, route.calls, Long::sum);
                });
    }

    private List<Call> recent() {
        return handle.createQuery("SELECT document FROM recent_call WHERE user_id = :user")
                .bind("user", user.value())
                .mapTo(String.class)
                .findOne()
                .map(document -> RecentCalls.read(user, document).newestFirst())
                .orElse(List.of());
    }

    private Query query(String sql) {
        return handle.createQuery(sql)
                .bind("user", user.value())
                .bind("first", first)
                .bind("last", last);
    }

    /** Sorted here, since databases do not agree on the order of text. */
    private static <N> Stream<Map.Entry<N, Long>> top(Map<N, Long> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<N, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(UsageReport.TOP);
    }

    private record Route(AgentKeyId key, String path, long calls) {}
}
