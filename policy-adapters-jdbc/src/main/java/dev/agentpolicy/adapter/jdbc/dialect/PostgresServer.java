package dev.agentpolicy.adapter.jdbc.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks of the settings and rights on a PostgreSQL server when the service starts. */
final class PostgresServer {
    private static final Set<String> DURABLE = Set.of("on", "remote_apply", "remote_write", "local");
    private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);

    private PostgresServer() {}

    /** Refuses a server that would lose what it has acknowledged; warns of one that would do so in a crash only. */
    static void requireDurable(Connection connection) throws SQLException {
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

    /** The same for the nodes that hold the shards. */
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

    /** The owner of a table, and members of the owner, can grant themselves whatever was revoked. */
    static void warnOfExcessRights(Connection connection) {
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
            LOG.debug("The server does not say which rights the role has.", unsupported);
        }
    }

    private static String show(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }
}
