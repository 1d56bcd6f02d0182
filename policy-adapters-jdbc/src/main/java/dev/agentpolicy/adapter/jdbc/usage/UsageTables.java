package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.Day;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.DayCount;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.DayOf;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.LatencySketch;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.RecentCalls;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usage.UsageReport.DailyUsage;
import dev.agentpolicy.domain.usage.UsageReport.KeyCount;
import dev.agentpolicy.domain.usage.UsageReport.PathCount;
import dev.agentpolicy.domain.usage.UsageReport.Totals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The stored usage over one connection: adds the sums of a node to it, and reads reports. */
record UsageTables(Connection connection) {
    private static final double MEDIAN = 50;
    private static final double P95 = 95;
    private static final String OF_DAYS = " WHERE user_id = ? AND call_day BETWEEN ? AND ?";

    // Writing: locks the users, reads, adds, writes

    void add(UsageAccumulator sums, Dialect dialect) throws SQLException {
        addRecent(new TreeMap<>(sums.recent()), dialect);
        addDays(sums.days());
        addCounts("usage_path", "path", sums.paths(), path -> path);
        addCounts("usage_key", "agent_key_id", sums.keys(), AgentKeyId::value);
    }

    /** Comes first because it takes the locks; all nodes lock users in the same order. */
    private void addRecent(SortedMap<UserId, RecentCalls> sums, Dialect dialect) throws SQLException {
        Map<UserId, RecentCalls> stored = new HashMap<>();
        List<UserId> users = List.copyOf(sums.keySet());
        int portion = Math.min(dialect.lockedTogether(), users.size());
        for (int from = 0; from < users.size(); from += portion) {
            Sql.each(
                    connection,
                    "SELECT user_id, document FROM recent_call WHERE user_id = ANY(?) ORDER BY user_id FOR UPDATE",
                    row -> {
                        UserId user = RowReader.userId(row);
                        stored.put(user, RecentCalls.read(user, row.getString("document")));
                    },
                    Sql.Parameter.uuids(users.subList(from, Math.min(from + portion, users.size())), UserId::value));
        }
        List<Object[]> rows = new ArrayList<>();
        sums.forEach((user, later) -> {
            RecentCalls all = stored.getOrDefault(user, new RecentCalls());
            all.addAll(later);
            rows.add(new Object[] {all.document(), user.value()});
        });
        write(
                "UPDATE recent_call SET document = ? WHERE user_id = ?",
                "INSERT INTO recent_call(document, user_id) VALUES (?, ?)",
                rows);
    }

    /** With several dates the query returns more rows than needed. */
    private void addDays(Map<Day, DayCount> sums) throws SQLException {
        Map<Day, DayCount> stored = new HashMap<>();
        Sql.each(
                connection,
                "SELECT * FROM usage_day WHERE user_id = ANY(?) AND call_day = ANY(?)",
                row -> stored.put(
                        new Day(RowReader.userId(row), row.getObject("call_day", LocalDate.class)), DayCount.read(row)),
                Sql.Parameter.uuids(sums.keySet(), day -> day.user().value()),
                new Sql.Parameter(
                        "date", sums.keySet().stream().map(Day::date).distinct().toArray()));
        List<Object[]> rows = new ArrayList<>();
        sums.forEach((day, later) -> {
            DayCount all = stored.getOrDefault(day, new DayCount());
            all.add(later);
            rows.add(new Object[] {
                all.total(), all.errors(), all.latencies().toBytes(), day.user().value(), day.date()
            });
        });
        write(
                "UPDATE usage_day SET total = ?, errors = ?, latencies = ? WHERE user_id = ? AND call_day = ?",
                "INSERT INTO usage_day(total, errors, latencies, user_id, call_day) VALUES (?, ?, ?, ?, ?)",
                rows);
    }

    private <N> void addCounts(String table, String column, Map<DayOf<N>, Long> sums, Function<N, Object> value)
            throws SQLException {
        List<Object[]> rows = new ArrayList<>();
        sums.forEach((of, calls) ->
                rows.add(new Object[] {calls, of.day().user().value(), of.day().date(), value.apply(of.name())}));
        write(
                "UPDATE " + table + " SET total = total + ? WHERE user_id = ? AND call_day = ? AND " + column + " = ?",
                "INSERT INTO " + table + "(total, user_id, call_day, " + column + ") VALUES (?, ?, ?, ?)",
                rows);
    }

    /** Updates first and then inserts the rows that the update did not find. Both take the same parameters. */
    private void write(String update, String insert, List<Object[]> rows) throws SQLException {
        int[] updated = send(update, rows);
        List<Object[]> missing = new ArrayList<>();
        for (int i = 0; i < updated.length; i++) {
            if (updated[i] == 0) {
                missing.add(rows.get(i));
            }
        }
        send(insert, missing);
    }

    private int[] send(String sql, List<Object[]> rows) throws SQLException {
        if (rows.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Object[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    statement.setObject(i + 1, row[i]);
                }
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    // Reading

    UsageReport report(UserId user, LocalDate first, LocalDate last) throws SQLException {
        Map<LocalDate, DayCount> days = new HashMap<>();
        LatencySketch latencies = LatencySketch.sum();
        Reads.list(
                connection,
                "SELECT * FROM usage_day" + OF_DAYS,
                row -> days.put(row.getObject("call_day", LocalDate.class), DayCount.read(row)),
                user.value(),
                first,
                last);
        long total = 0;
        long errors = 0;
        for (DayCount day : days.values()) {
            total += day.total();
            errors += day.errors();
            latencies.add(day.latencies());
        }
        return new UsageReport(
                first.atStartOfDay(ZoneOffset.UTC).toInstant(),
                new Totals(total, errors, latencies.millisAt(MEDIAN), latencies.millisAt(P95)),
                first.datesUntil(last.plusDays(1))
                        .map(date -> {
                            DayCount day = days.getOrDefault(date, new DayCount());
                            return new DailyUsage(date, day.total(), day.errors());
                        })
                        .toList(),
                top("usage_path", "path", row -> row.getString(1), user, first, last)
                        .map(path -> new PathCount(path.getKey(), path.getValue()))
                        .toList(),
                top("usage_key", "agent_key_id", RowReader::agentKeyId, user, first, last)
                        .map(key -> new KeyCount(key.getKey(), key.getValue()))
                        .toList(),
                Reads.list(
                                connection,
                                "SELECT document FROM recent_call WHERE user_id = ?",
                                row -> RecentCalls.read(user, row.getString(1)).newestFirst(),
                                user.value())
                        .stream()
                        .flatMap(List::stream)
                        .toList());
    }

    /** Sorted here because databases sort text differently. */
    private <N> Stream<Map.Entry<N, Long>> top(
            String table, String column, Reads.RowMapper<N> name, UserId user, LocalDate first, LocalDate last)
            throws SQLException {
        return Reads.list(
                        connection,
                        "SELECT " + column + ", SUM(total) AS calls FROM " + table + OF_DAYS + " GROUP BY " + column,
                        row -> Map.entry(name.map(row), row.getLong("calls")),
                        user.value(),
                        first,
                        last)
                .stream()
                .sorted(Map.Entry.<N, Long>comparingByValue()
                        .reversed()
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(UsageReport.TOP);
    }
}
