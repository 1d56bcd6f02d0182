package dev.agentpolicy.adapter.jdbc.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Set<String> DURABLE = Set.of("on", "remote_apply", "remote_write", "local");
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDialect.class);
    private final WriteLock writeLock = WriteLock.none();

    @Override
    public String url(String url) {
        return url;
    }

    /** The same database and parameters at another server, {@code host:port}. */
    public static String urlOf(String url, String address) {
        String rest =
                url.substring(PREFIX.length()).replaceFirst("^//[^/?]*", "").replaceFirst("^/", "");
        return PREFIX + "//" + address + "/" + rest;
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

    /** Refuses a server that would lose what it has acknowledged; warns of one that would do so in a crash only. */
    @Override
    public void requireDurable(Connection connection) throws SQLException {
        requireDurable("PostgreSQL", show(connection, "synchronous_commit"), show(connection, "fsync"));
    }

    private static void requireDurable(String server, String synchronousCommit, String fsync) {
        if (!DURABLE.contains(synchronousCommit)) {
            throw new UnusableDatabase(
                    server + " runs with synchronous_commit = " + synchronousCommit
                            + ", so a crash would lose signed events that"
                            + " were acknowledged and fork their chains. Set synchronous_commit = on for this role or"
                            + " server.",
                    null);
        }
        if (!fsync.equals("on")) {
            LOG.warn(
                    "{} runs with fsync = off: a crash of its machine would lose signed events that were"
                            + " acknowledged and fork their chains. Set fsync = on.",
                    server);
        }
    }

    /** The same for the nodes of a cluster that hold the shards. */
    static void requireDurableWorkers(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT nodename || ':' || nodeport, result FROM"
                        + " run_command_on_workers('SELECT current_setting(''synchronous_commit'') || '' ''"
                        + " || current_setting(''fsync'')') WHERE success")) {
            while (row.next()) {
                String[] settings = row.getString(2).split(" ", 2);
                requireDurable("The worker " + row.getString(1), settings[0], settings[1]);
            }
        }
    }

    private static String show(Connection connection, String setting) throws SQLException {
        return column(connection, "SHOW " + setting).get(0);
    }

    /** The owner of a table, and members of the owner, can grant themselves whatever was revoked. */
    @Override
    public void warnOfExcessRights(Connection connection) throws SQLException {
        for (String role : column(
                connection,
                "SELECT current_user FROM pg_class"
                        + " WHERE oid = CAST('policy_event' AS regclass) AND (pg_has_role(relowner, 'USAGE')"
                        + " OR has_any_column_privilege(oid, 'UPDATE') OR has_table_privilege(oid, 'DELETE, TRUNCATE'))")) {
            LOG.warn(
                    "The role {} can change or delete rows of policy_event, which the service never needs to do. Give"
                            + " the service a role that can only add and read them (docs/operations.md).",
                    role);
        }
    }

    @Override
    public boolean mayErase(Connection connection) throws SQLException {
        return column(connection, "SELECT has_column_privilege('policy_event', 'payload_canonical', 'UPDATE')")
                .contains("t");
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
        return inserting(table) + onConflict(table);
    }

    private static String onConflict(Table table) {
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
