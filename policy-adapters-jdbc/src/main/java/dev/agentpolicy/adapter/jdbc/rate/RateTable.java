package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.connect.Retries;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailure;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.dialect.WriteLock;
import dev.agentpolicy.adapter.jdbc.dialect.WriteLock.ConnectionWork;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of rate windows over one connection; created when it is missing. */
final class RateTable implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String COLUMNS = " rate_window (caller varchar NOT NULL, window_second bigint NOT NULL,"
            + " calls bigint NOT NULL, opened_at timestamp(6) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,"
            + " PRIMARY KEY (caller, window_second))";
    private static final String ROWS = "SELECT * FROM unnest(CAST(? AS varchar ARRAY), CAST(? AS bigint ARRAY),"
            + " CAST(? AS bigint ARRAY)) AS v(caller, window_second, calls)";
    private static final String ADDING_ON_H2 = "SELECT caller, window_second, calls FROM FINAL TABLE"
            + " (MERGE INTO rate_window AS w USING (" + ROWS
            + ") AS v ON w.caller = v.caller AND w.window_second = v.window_second"
            + " WHEN MATCHED THEN UPDATE SET calls = w.calls + v.calls"
            + " WHEN NOT MATCHED THEN INSERT (caller, window_second, calls)"
            + " VALUES (v.caller, v.window_second, v.calls))";
    private static final String ADDING_ON_POSTGRES =
            "INSERT INTO rate_window AS w (caller, window_second, calls) " + ROWS
                    + " ON CONFLICT (caller, window_second) DO UPDATE SET calls = w.calls + excluded.calls"
                    + " RETURNING caller, window_second, calls";
    /** By the clock of the database, because the clocks of nodes may differ. */
    private static final String DELETING_OLD =
            "DELETE FROM rate_window WHERE opened_at < CURRENT_TIMESTAMP - INTERVAL '30' SECOND";

    private final Connection connection;
    private final PreparedStatement adding;
    private final WriteLock writeLock;

    private RateTable(Connection connection, PreparedStatement adding, WriteLock writeLock) {
        this.connection = connection;
        this.adding = adding;
        this.writeLock = writeLock;
    }

    static RateTable open(Address address) throws SQLException {
        WriteLock writeLock = Dialect.of(address.url).writeLock();
        Connection connection = DriverManager.getConnection(address.url, address.properties());
        try {
            // Unlogged on PostgreSQL: a count is worthless after a second.
            String creating = address.isH2()
                    ? "CREATE TABLE IF NOT EXISTS" + COLUMNS
                    : "CREATE UNLOGGED TABLE IF NOT EXISTS" + COLUMNS + " WITH (fillfactor = 50)";
            writeLock.during(connection, inside -> retried(inside, it -> execute(it, creating)));
            String adding = address.isH2() ? ADDING_ON_H2 : ADDING_ON_POSTGRES;
            return new RateTable(connection, connection.prepareStatement(adding), writeLock);
        } catch (SQLException failed) {
            connection.close();
            throw failed;
        }
    }

    /** Adds calls to windows and returns the new counts. The windows are sorted, so that nodes cannot deadlock. */
    Map<Window, Long> add(SortedMap<Window, Integer> calls) throws SQLException {
        bind(1, "varchar", calls.keySet().stream().map(Window::caller));
        bind(2, "bigint", calls.keySet().stream().map(Window::second));
        bind(3, "bigint", calls.values().stream().map(Integer::longValue));
        return writeLock.during(connection, inside -> retried(inside, any -> count()));
    }

    private void bind(int place, String type, Stream<?> values) throws SQLException {
        adding.setArray(place, connection.createArrayOf(type, values.toArray()));
    }

    private Map<Window, Long> count() throws SQLException {
        Map<Window, Long> counts = new HashMap<>();
        try (ResultSet row = adding.executeQuery()) {
            while (row.next()) {
                counts.put(new Window(row.getString(1), row.getLong(2)), row.getLong(3));
            }
        }
        return counts;
    }

    void removeOld() throws SQLException {
        writeLock.during(connection, inside -> execute(inside, DELETING_OLD));
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

    /** Again at once when another node made the same row or the same table at the same moment. */
    private static <T> T retried(Connection connection, ConnectionWork<T> creation) throws SQLException {
        Retries retries = new Retries(PATIENCE);
        while (true) {
            try {
                return creation.on(connection);
            } catch (SQLException failed) {
                if (SqlFailure.of(failed) != SqlFailure.CONFLICT || !retries.isNextAllowed()) {
                    throw failed;
                }
            }
        }
    }

    /** One second of one caller. */
    record Window(String caller, long second) implements Comparable<Window> {
        private static final Comparator<Window> ORDER =
                Comparator.comparing(Window::caller).thenComparingLong(Window::second);

        @Override
        public int compareTo(Window other) {
            return ORDER.compare(this, other);
        }
    }

    /** Where the table is. The text omits the URL, which may contain a password. */
    record Address(
            String url, @Nullable String user, @Nullable String password) {

        /** @throws UnusableDatabase when the URL is for a database that cannot count calls */
        static Address of(String url, @Nullable String user, @Nullable String password) {
            if (!url.startsWith(H2Dialect.PREFIX) && !url.startsWith(PostgresDialect.PREFIX)) {
                throw new UnusableDatabase(
                        "The rate limit URL must begin with jdbc:h2: or jdbc:postgresql:, or be empty to count in"
                                + " process.",
                        null);
            }
            return new Address(url, user, password);
        }

        private boolean isH2() {
            return url.startsWith(H2Dialect.PREFIX);
        }

        /** The timeouts are short because calls must not wait long for a dead store. */
        private Properties properties() {
            Properties properties = new Properties();
            if (!isH2()) {
                properties.putAll(Map.of(
                        "ApplicationName", "agent-policy-rate",
                        "connectTimeout", "2",
                        "loginTimeout", "2",
                        "socketTimeout", "2",
                        "tcpKeepAlive", "true",
                        "logServerErrorDetail", "false"));
            }
            if (user != null) {
                properties.put("user", user);
            }
            if (password != null) {
                properties.put("password", password);
            }
            return properties;
        }

        @Override
        public String toString() {
            return "Address[" + (isH2() ? "H2" : "POSTGRES") + "]";
        }
    }
}
