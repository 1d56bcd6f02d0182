package dev.agentpolicy.adapter.jdbc.usage;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Adds the sums of one node to the stored ones: locks the users, reads, adds, writes. */
final class UsageWriter {
    private final Connection connection;
    private final Dialect dialect;

    UsageWriter(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    void add(UsageAccumulator sums) throws SQLException {
        addRecent(new TreeMap<>(sums.recent()));
        addDays(sums.days());
        addCounts("usage_path", "path", sums.paths(), path -> path);
        addCounts("usage_key", "agent_key_id", sums.keys(), AgentKeyId::value);
    }

    /** Comes first because it takes the locks; all nodes lock users in the same order. */
    private void addRecent(SortedMap<UserId, RecentCalls> sums) throws SQLException {
        Map<UserId, RecentCalls> stored = lock(List.copyOf(sums.keySet()));
        try (UpsertBatch rows = new UpsertBatch(
                connection,
                "UPDATE recent_call SET document = ? WHERE user_id = ?",
                "INSERT INTO recent_call(document, user_id) VALUES (?, ?)")) {
            for (Map.Entry<UserId, RecentCalls> entry : sums.entrySet()) {
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

    private void addDays(Map<Day, DayCount> sums) throws SQLException {
        Map<Day, StoredDay> stored = days(sums);
        try (UpsertBatch rows = new UpsertBatch(
                connection,
                "UPDATE usage_day SET total = ?, errors = ?, latencies = ? WHERE user_id = ? AND call_day = ?",
                "INSERT INTO usage_day(total, errors, latencies, user_id, call_day) VALUES (?, ?, ?, ?, ?)")) {
            for (Map.Entry<Day, DayCount> entry : sums.entrySet()) {
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

    /** With several dates the query returns more rows than needed. */
    private Map<Day, StoredDay> days(Map<Day, DayCount> sums) throws SQLException {
        Map<Day, StoredDay> found = new HashMap<>();
        Sql.each(
                connection,
                "SELECT * FROM usage_day WHERE user_id = ANY(?) AND call_day = ANY(?)",
                row -> found.put(new Day(RowReader.userId(row), StoredDay.date(row)), StoredDay.read(row)),
                Sql.Parameter.uuids(sums.keySet(), day -> day.user().value()),
                new Sql.Parameter(
                        "date", sums.keySet().stream().map(Day::date).distinct().toArray()));
        return found;
    }

    /** Updates first and then inserts the rows that the update did not find, so nothing is read. */
    private <N> void addCounts(String table, String column, Map<DayOf<N>, Long> sums, Function<N, Object> value)
            throws SQLException {
        List<Map.Entry<DayOf<N>, Long>> rows = new ArrayList<>(sums.entrySet());
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
