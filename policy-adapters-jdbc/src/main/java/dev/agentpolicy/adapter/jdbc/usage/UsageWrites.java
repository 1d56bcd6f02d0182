package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.RowReader;
import dev.agentpolicy.adapter.jdbc.sql.Sql;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.Day;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.DayCount;
import dev.agentpolicy.adapter.jdbc.usage.UsageAccumulator.DayOf;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Adds what one node noted to what is stored: locks the users, reads, merges, writes. */
final class UsageWrites {
    private final Connection connection;
    private final Dialect dialect;

    UsageWrites(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    void add(UsageAccumulator noted) throws SQLException {
        addRecent(new TreeMap<>(noted.recent()));
        addDays(noted.days());
        addCounts("usage_path", "path", noted.paths(), path -> path);
        addCounts("usage_key", "agent_key_id", noted.keys(), AgentKeyId::value);
    }

    /** Comes first, because it locks; everybody locks users in their order. */
    private void addRecent(TreeMap<UserId, RecentCalls> noted) throws SQLException {
        Map<UserId, RecentCalls> stored = lock(List.copyOf(noted.keySet()));
        try (UsageMerge rows = new UsageMerge(
                connection,
                "UPDATE recent_call SET document = ? WHERE user_id = ?",
                "INSERT INTO recent_call(document, user_id) VALUES (?, ?)")) {
            for (Map.Entry<UserId, RecentCalls> entry : noted.entrySet()) {
                RecentCalls before = stored.getOrDefault(entry.getKey(), new RecentCalls());
                before.addAll(entry.getValue());
                rows.write(
                        stored.containsKey(entry.getKey()),
                        before.document(),
                        entry.getKey().value());
            }
            rows.send();
        }
    }

    private Map<UserId, RecentCalls> lock(List<UserId> users) throws SQLException {
        Map<UserId, RecentCalls> found = new HashMap<>();
        int portion = Math.min(dialect.lockedTogether(), users.size());
        for (int from = 0; from < users.size(); from += portion) {
            Sql.each(
                    connection,
                    "SELECT user_id, document FROM recent_call WHERE user_id = ANY(?) ORDER BY user_id FOR UPDATE",
                    row -> {
                        UserId user = RowReader.userId(row);
                        found.put(user, RecentCalls.read(user, row.getString("document")));
                    },
                    Sql.Parameter.uuids(users.subList(from, Math.min(from + portion, users.size())), UserId::value));
        }
        return found;
    }

    private void addDays(Map<Day, DayCount> noted) throws SQLException {
        Map<Day, StoredDay> stored = days(noted);
        try (UsageMerge rows = new UsageMerge(
                connection,
                "UPDATE usage_day SET total = ?, errors = ?, latencies = ? WHERE user_id = ? AND call_day = ?",
                "INSERT INTO usage_day(total, errors, latencies, user_id, call_day) VALUES (?, ?, ?, ?, ?)")) {
            for (Map.Entry<Day, DayCount> entry : noted.entrySet()) {
                Day day = entry.getKey();
                StoredDay before = stored.getOrDefault(day, StoredDay.none());
                LatencySketch latencies = before.latencies();
                latencies.add(entry.getValue().latencies());
                rows.write(
                        stored.containsKey(day),
                        before.total() + entry.getValue().total(),
                        before.errors() + entry.getValue().errors(),
                        latencies.toBytes(),
                        day.user().value(),
                        day.date());
            }
            rows.send();
        }
    }

    /** Some more than asked for, when there are several dates. */
    private Map<Day, StoredDay> days(Map<Day, DayCount> noted) throws SQLException {
        Map<Day, StoredDay> found = new HashMap<>();
        Sql.each(
                connection,
                "SELECT * FROM usage_day WHERE user_id = ANY(?) AND call_day = ANY(?)",
                row -> found.put(new Day(RowReader.userId(row), StoredDay.date(row)), StoredDay.read(row)),
                Sql.Parameter.uuids(noted.keySet(), day -> day.user().value()),
                new Sql.Parameter(
                        "date",
                        noted.keySet().stream().map(Day::date).distinct().toArray()));
        return found;
    }

    /** Needs no reading: rows that are not there are those that were not updated. */
    private <N> void addCounts(String table, String column, Map<DayOf<N>, Long> noted, Function<N, Object> value)
            throws SQLException {
        List<Map.Entry<DayOf<N>, Long>> rows = new ArrayList<>(noted.entrySet());
        int[] updated = send(
                "UPDATE " + table + " SET total = total + ? WHERE user_id = ? AND call_day = ? AND " + column + " = ?",
                rows,
                value);
        List<Map.Entry<DayOf<N>, Long>> missing = new ArrayList<>();
        for (int i = 0; i < updated.length; i++) {
            if (updated[i] == 0) {
                missing.add(rows.get(i));
            }
        }
        send("INSERT INTO " + table + "(total, user_id, call_day, " + column + ") VALUES (?, ?, ?, ?)", missing, value);
    }

    private <N> int[] send(String sql, List<Map.Entry<DayOf<N>, Long>> rows, Function<N, Object> value)
            throws SQLException {
        if (rows.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Map.Entry<DayOf<N>, Long> row : rows) {
                DayOf<N> of = row.getKey();
                statement.setLong(1, row.getValue());
                statement.setObject(2, of.day().user().value());
                statement.setObject(3, of.day().date());
                statement.setObject(4, value.apply(of.name()));
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }
}
