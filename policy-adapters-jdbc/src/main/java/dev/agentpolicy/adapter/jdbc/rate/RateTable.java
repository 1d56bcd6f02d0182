package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.WriteLock;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;

/** The table of rate windows over one connection; created when it is missing. */
final class RateTable implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Connection connection;
    private final PreparedStatement counting;
    private final WriteLock writeLock;

    private RateTable(Connection connection, PreparedStatement counting, WriteLock writeLock) {
        this.connection = connection;
        this.counting = counting;
        this.writeLock = writeLock;
    }

    static RateTable open(RateStoreAddress address) throws SQLException {
        RateDialect dialect = address.dialect();
        WriteLock writeLock = Dialect.of(address.url()).writeLock();
        Connection connection = DriverManager.getConnection(address.url(), address.properties());
        try {
            writeLock.during(connection, inside -> retried(() -> execute(inside, dialect.creating())));
            return new RateTable(connection, connection.prepareStatement(dialect.counting()), writeLock);
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    /** Adds calls to windows and returns the new counts. The windows are sorted, so that nodes cannot deadlock. */
    Map<Window, Long> add(SortedMap<Window, Integer> calls) throws SQLException {
        Collection<Window> windows = calls.keySet();
        bind(1, "varchar", windows, Window::caller);
        bind(2, "bigint", windows, Window::second);
        bind(3, "bigint", calls.values(), Integer::longValue);
        return writeLock.during(connection, inside -> retried(this::count));
    }

    private Map<Window, Long> count() throws SQLException {
        Map<Window, Long> counts = new HashMap<>();
        try (ResultSet row = counting.executeQuery()) {
            while (row.next()) {
                counts.put(new Window(row.getString(1), row.getLong(2)), row.getLong(3));
            }
        }
        return counts;
    }

    void removeOld() throws SQLException {
        writeLock.during(connection, inside -> execute(inside, RateDialect.DELETING_OLD));
    }

    private static boolean execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql);
        }
    }

    boolean isAlive(int seconds) throws SQLException {
        return connection.isValid(seconds);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private <T> void bind(int place, String type, Collection<T> of, Function<T, Object> value) throws SQLException {
        List<Object> values = of.stream().map(value).toList();
        Array array = connection.createArrayOf(type, values.toArray());
        counting.setArray(place, array);
    }

    /** Again at once when another node made the same row or the same table at the same moment. */
    private static <T> T retried(Creation<T> creation) throws SQLException {
        Retries retries = new Retries(PATIENCE);
        while (true) {
            try {
                return creation.make();
            } catch (SQLException failed) {
                if (SqlFailure.of(failed) != SqlFailure.CONFLICT || !retries.isNextAllowed()) {
                    throw failed;
                }
            }
        }
    }

    private interface Creation<T> {
        T make() throws SQLException;
    }

    /** One second of one caller. */
    record Window(String caller, long second) implements Comparable<Window> {
        @Override
        public int compareTo(Window other) {
            int byCaller = caller.compareTo(other.caller);
            return byCaller != 0 ? byCaller : Long.compare(second, other.second);
        }
    }
}
