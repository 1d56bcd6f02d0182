package dev.agentpolicy.adapter.jdbc.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** PostgreSQL and databases with its protocol. */
public class PostgresDialect extends Dialect {
    public static final String PREFIX = "jdbc:postgresql:";
    private static final int MAX_DEFAULT_LANES = 4;
    /** No statement takes nearly as long. Callers do not wait much longer for a server that does not answer. */
    private static final int SOCKET_TIMEOUT_SECONDS = 10;
    /** Between the statements of a lane there are only decisions and signatures. */
    static final int MAX_LANE_IDLE_MILLIS = 5_000;
    /** A reader of all chains processes some of them before it fetches more. */
    private static final int MAX_READER_IDLE_MILLIS = 60_000;

    private final WriteLock writeLock = WriteLock.none();

    @Override
    public String url(String url) {
        return url;
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(
                "ApplicationName", "agent-policy",
                "connectTimeout", "5",
                "socketTimeout", Integer.toString(SOCKET_TIMEOUT_SECONDS),
                "tcpKeepAlive", "true",
                // A batch is sent in one piece; by default the server would wake up for every 8 kB.
                "maxSendBufferSize", "65536",
                // The detail of an error contains values of rows, which must not be logged.
                "logServerErrorDetail", "false");
    }

    @Override
    public String initialSql() {
        return initialSql(MAX_READER_IDLE_MILLIS);
    }

    /**
     * Without the timeout a node that is cut off during a transaction keeps its locks until the server notices, which
     * takes two hours by default.
     */
    static String initialSql(int maxIdleMillis) {
        return "SET lock_timeout = '2s'; SELECT set_config(name, '" + maxIdleMillis + "', false) FROM pg_settings"
                + " WHERE name = 'idle_in_transaction_session_timeout'";
    }

    /**
     * Statements of a lane find rows by their keys only, so each is planned once and not for every batch, and never for
     * a scan of a table that is still small. Databases without these settings are left as they are.
     */
    @Override
    public String initialSqlOfLanes() {
        return initialSql(MAX_LANE_IDLE_MILLIS)
                + "; SELECT set_config(name, CASE name WHEN 'plan_cache_mode' THEN 'force_generic_plan' ELSE 'off'"
                + " END, false) FROM pg_settings WHERE name IN ('plan_cache_mode', 'enable_seqscan', 'enable_bitmapscan',"
                + " 'enable_sort', 'enable_hashjoin', 'enable_mergejoin', 'jit')";
    }

    @Override
    public void requireDurable(Connection connection) throws SQLException {
        PostgresServer.requireDurable(connection);
    }

    @Override
    public void warnOfExcessRights(Connection connection) {
        PostgresServer.warnOfExcessRights(connection);
    }

    @Override
    public boolean mayErase(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT has_column_privilege('policy_event', 'payload_canonical', 'UPDATE')")) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public String tellingTime() {
        return "SELECT clock_timestamp()";
    }

    @Override
    public String unreachable(SQLException failed) {
        return "PostgreSQL cannot be reached; check POLICY_DB_URL, POLICY_DB_USER and POLICY_DB_PASSWORD: "
                + failed.getMessage();
    }

    @Override
    public String oftenUpdated() {
        return "WITH (fillfactor = 50)";
    }

    @Override
    public String indexOfErased() {
        return "CREATE INDEX policy_event_erased ON policy_event (user_id, seq) WHERE payload_canonical IS NULL";
    }

    @Override
    public String indexedWhere(String condition) {
        return " WHERE " + condition;
    }

    @Override
    String replacing(Table table) {
        return "INSERT INTO " + table.sqlName() + "(" + table.names() + ") " + rowsOf(table.columns())
                + onConflict(table);
    }

    static String onConflict(Table table) {
        return otherColumns(table).stream()
                .map(column -> column.name() + " = excluded." + column.name())
                .collect(
                        Collectors.joining(", ", " ON CONFLICT (" + list(table.keyColumns()) + ") DO UPDATE SET ", ""));
    }

    /** Unnested in the select list; in FROM the server would store each array's rows first. */
    @Override
    String rowsOf(List<Table.Column> columns) {
        return columns.stream()
                .map(column -> "unnest(" + column.parameter() + ") AS " + column.name())
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /** The limit keeps the server from planning for whole chains. */
    @Override
    public String tails() {
        return tails("");
    }

    static String tails(String condition) {
        return "LATERAL (SELECT * FROM policy_event p WHERE p.user_id = a.user_id AND p.seq > a.chain_seq" + condition
                + " ORDER BY p.user_id, p.seq LIMIT " + (Dialect.MAX_TAIL + 1) + ") AS e ON TRUE";
    }

    @Override
    public String creatingAccounts() {
        return "INSERT INTO account(user_id) SELECT * FROM unnest(CAST(? AS uuid ARRAY)) AS v(user_id) ORDER BY 1"
                + " ON CONFLICT DO NOTHING";
    }

    @Override
    public String lockingDailyCalls() {
        return "INSERT INTO daily_call (user_id, agent_key_id, call_day, calls) SELECT u, k, d, 0 FROM"
                + " unnest(CAST(? AS uuid ARRAY), CAST(? AS uuid ARRAY), CAST(? AS date ARRAY)) AS n(u, k, d)"
                + " ON CONFLICT (user_id, agent_key_id, call_day) DO UPDATE SET calls = daily_call.calls"
                + " RETURNING user_id, agent_key_id, calls";
    }

    @Override
    public String countingDailyCall() {
        return "INSERT INTO daily_call AS t (user_id, agent_key_id, call_day, calls) VALUES (?, ?, ?, 1)"
                + " ON CONFLICT (user_id, agent_key_id, call_day) DO UPDATE SET calls = t.calls + 1 WHERE t.calls < ?"
                + " RETURNING calls";
    }

    @Override
    public String drawingIds() {
        return "SELECT nextval('service_request_id') FROM generate_series(1, ?)";
    }

    @Override
    public boolean takesManyAtOnce() {
        return true;
    }

    @Override
    public int lockedTogether() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int defaultLanes() {
        return Math.min(MAX_DEFAULT_LANES, Runtime.getRuntime().availableProcessors());
    }

    @Override
    public WriteLock writeLock() {
        return writeLock;
    }

    @Override
    public void flush(Connection connection) {
        // COMMIT does it.
    }
}
