package dev.agentpolicy.adapter.jdbc.sql;

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

/** PostgreSQL, and what speaks like it. */
public final class PostgresDialect extends Dialect {
    static final String PREFIX = "jdbc:postgresql:";
    private static final Set<String> DURABLE = Set.of("on", "remote_apply", "remote_write", "local");
    private static final Logger LOG = LoggerFactory.getLogger(PostgresDialect.class);
    private static final int MAX_USUAL_LANES = 4;
    /** No statement takes nearly as long; callers of a server that says nothing are not to wait much longer than this. */
    private static final int LONGEST_SILENCE_SECONDS = 10;
    /** A lane does nothing in a transaction but decide and sign. */
    private static final int LONGEST_IDLE_OF_LANES_MILLIS = 5_000;
    /** Who reads all chains does something with some of them before it asks for more. */
    private static final int LONGEST_IDLE_OF_READERS_MILLIS = 60_000;

    private final WriteLock turns = WriteLock.allAtOnce();

    @Override
    public String url(String url) {
        return url;
    }

    @Override
    Map<String, String> properties() {
        return Map.of(
                "ApplicationName", "agent-policy",
                "connectTimeout", "5",
                "socketTimeout", Integer.toString(LONGEST_SILENCE_SECONDS),
                "tcpKeepAlive", "true",
                // A batch goes in one piece, where the server would be woken for every eighth kilobyte of it.
                "maxSendBufferSize", "65536",
                // The detail of an error is the content of rows, which is nobody's who reads the log.
                "logServerErrorDetail", "false");
    }

    @Override
    String greeting() {
        return greeting(LONGEST_IDLE_OF_READERS_MILLIS);
    }

    /**
     * A node that is cut off in the middle of a transaction would keep its locks for as long as its server takes it for
     * alive, which is two hours where nobody has set anything else.
     */
    private static String greeting(int longestIdleMillis) {
        return "SET lock_timeout = '2s'; SELECT set_config(name, '" + longestIdleMillis + "', false) FROM pg_settings"
                + " WHERE name = 'idle_in_transaction_session_timeout'";
    }

    /**
     * A lane finds rows by their keys and in no other way, however small a table was when its statements were planned, so it
     * plans each of them once and not anew for every batch. What speaks like PostgreSQL and has no such settings is left as
     * it is.
     */
    @Override
    String greetingOfLanes() {
        return greeting(LONGEST_IDLE_OF_LANES_MILLIS)
                + "; SELECT set_config(name, CASE name WHEN 'plan_cache_mode' THEN 'force_generic_plan' ELSE 'off'"
                + " END, false) FROM pg_settings WHERE name IN ('plan_cache_mode', 'enable_seqscan', 'enable_bitmapscan',"
                + " 'enable_sort', 'enable_hashjoin', 'enable_mergejoin')";
    }

    @Override
    public void requireDurable(Connection connection) throws SQLException {
        String setting = show(connection, "synchronous_commit");
        if (!DURABLE.contains(setting)) {
            throw new UnusableDatabase(
                    "PostgreSQL runs with synchronous_commit = " + setting
                            + ", so a crash would lose signed events that"
                            + " were acknowledged and fork their chains. Set synchronous_commit = on for this role or"
                            + " server.",
                    null);
        }
        if (!show(connection, "fsync").equals("on")) {
            LOG.warn("PostgreSQL runs with fsync = off: a crash of its machine would lose signed events that were"
                    + " acknowledged and fork their chains. Set fsync = on.");
        }
    }

    @Override
    public String tellingTime() {
        return "SELECT clock_timestamp()";
    }

    /** Whoever owns a table, or belongs to its owner, can take back whatever was revoked. */
    @Override
    public void warnOfExcessRights(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT current_user FROM pg_class"
                                + " WHERE oid = CAST('policy_event' AS regclass) AND (pg_has_role(relowner, 'USAGE')"
                                + " OR has_any_column_privilege(oid, 'UPDATE') OR has_table_privilege(oid, 'DELETE, TRUNCATE'))")) {
            if (row.next()) {
                LOG.warn(
                        "The role {} can change or delete rows of policy_event, which the service never needs to do. Give"
                                + " the service a role that can only add and read them (docs/operations.md).",
                        row.getString(1));
            }
        } catch (SQLException unsupported) {
            LOG.debug("What speaks like PostgreSQL does not tell of rights.", unsupported);
        }
    }

    @Override
    String unreachable(SQLException failed) {
        return "PostgreSQL cannot be reached; check POLICY_DB_URL, POLICY_DB_USER and POLICY_DB_PASSWORD: "
                + failed.getMessage();
    }

    @Override
    String oftenUpdated() {
        return "WITH (fillfactor = 50)";
    }

    @Override
    String indexOfErased() {
        return "CREATE INDEX policy_event_erased ON policy_event (user_id, seq) WHERE payload_canonical IS NULL";
    }

    @Override
    String replacing(Table table) {
        String updates = otherColumns(table).stream()
                .map(column -> column.name() + " = excluded." + column.name())
                .collect(Collectors.joining(", "));
        return "INSERT INTO " + table.sqlName() + "(" + table.names() + ") " + rowsOf(table.columns())
                + " ON CONFLICT (" + list(table.keyColumns()) + ") DO UPDATE SET " + updates;
    }

    /** Each array in the list of what is selected: behind FROM the server would put each aside first. */
    @Override
    String rowsOf(List<Table.Column> columns) {
        return columns.stream()
                .map(column -> "unnest(" + column.parameter() + ") AS " + column.name())
                .collect(Collectors.joining(", ", "SELECT ", ""));
    }

    /** A limit keeps the server from reading whole chains when it does not know how long a tail is. */
    @Override
    public String tails() {
        return "LATERAL (SELECT * FROM policy_event p WHERE p.user_id = a.user_id AND p.seq > a.chain_seq"
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
    int usualLanes() {
        return Math.min(MAX_USUAL_LANES, Runtime.getRuntime().availableProcessors());
    }

    @Override
    public WriteLock turns() {
        return turns;
    }

    @Override
    public void flush(Connection connection) {
        // COMMIT has done it already.
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }
}
