package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.DailyUsage;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Reads the usage report of one user. */
record UsageReader(Handle handle, UserId user, LocalDate first, LocalDate last) {
    private static final double MEDIAN = 50;
    private static final double P95 = 95;

    UsageReport report() {
        Map<LocalDate, StoredDay> days = days();
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                totals(days),
                series(days),
                top(counts("usage_path", "path", row -> row.getString(1)))
                        .map(path -> new PathCount(path.getKey(), path.getValue()))
                        .toList(),
                top(counts("usage_key", "agent_key_id", RowReader::agentKeyId))
                        .map(key -> new KeyCount(key.getKey(), key.getValue()))
                        .toList(),
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
                latencies.millisAt(MEDIAN),
                latencies.millisAt(P95));
    }

    private List<DailyUsage> series(Map<LocalDate, StoredDay> days) {
        return first.datesUntil(last.plusDays(1))
                .map(date -> {
                    StoredDay day = days.getOrDefault(date, StoredDay.none());
                    return new DailyUsage(date, day.total(), day.errors());
                })
                .toList();
    }

    private <N> Map<N, Long> counts(String table, String column, Name<N> name) {
        Map<N, Long> counts = new HashMap<>();
        query("SELECT " + column + ", SUM(total) AS calls FROM " + table
                        + " WHERE user_id = :user AND call_day BETWEEN :first AND :last GROUP BY " + column)
                .map((row, context) -> Map.entry(name.read(row), row.getLong("calls")))
                .forEach(count -> counts.put(count.getKey(), count.getValue()));
        return counts;
    }

    private List<CallRecord> recent() {
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

    /** Sorted here because databases sort text differently. */
    private static <N> Stream<Map.Entry<N, Long>> top(Map<N, Long> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<N, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(UsageReport.TOP);
    }

    /** Reads a path or a key id. */
    private interface Name<N> {
        N read(ResultSet row) throws SQLException;
    }
}
