package dev.agentpolicy.adapter.jdbc.distribution;

import dev.agentpolicy.adapter.jdbc.connect.Connections;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the tables of a schema over the nodes of a Citus cluster, on its coordinator and while no node of the service
 * runs. Each step is a transaction of its own, and one that was done is not done again, so a distribution that failed is
 * continued by running it once more.
 */
public final class Distribution {
    /** Enough for as many workers. Each shard has batches of its own, so more shards make smaller batches. */
    public static final int DEFAULT_SHARDS = 8;

    private static final int MAX_SHARDS = 128;
    /** How Citus tells of a table with all rows on every node. */
    private static final String EVERYWHERE = "reference <none>";
    /** Tables that earlier versions had on every node, so that nothing could be written to them while one was away. */
    private static final List<String> EVERYWHERE_BEFORE =
            List.of("signing_key", "app_user", "app_session", "agent_key");

    /** Tables with each row in the shard of its user, in the order in which they are distributed. */
    static final List<String> BY_USER = List.of(
            "account",
            "policy_event",
            "erasure",
            "ips_version",
            "portfolio_revision",
            "tally",
            "daily_call",
            "service_request",
            "idempotency",
            "custodian",
            "custodian_fill",
            "paper_book",
            "paper_order",
            "recent_call",
            "usage_day",
            "usage_path",
            "usage_key",
            // The last one: nodes take a schema with it for one that is distributed as they expect.
            "agent_key");
    /**
     * Tables with all rows on the coordinator, as before. Their rows are found by something else than a user, or belong to all
     * users. So writing them needs the coordinator and no worker.
     */
    static final List<String> ON_COORDINATOR = List.of(
            "app_user",
            "app_session",
            "signing_key",
            "key_route",
            "app_device",
            "push_device",
            "mail_token",
            "passkey_challenge",
            "broker_account",
            "policy_rehearsal",
            "tlog",
            "tlog_tile",
            "tlog_row",
            "oauth_client",
            "oauth_request",
            "oauth_token",
            "token_secret",
            "installation",
            "lease",
            "progress",
            "usage_flush",
            "rate_window",
            "flyway_schema_history");

    private final DatabaseConfig config;
    private final List<Step> steps;

    private Distribution(DatabaseConfig config, List<Step> steps) {
        this.config = config;
        this.steps = steps;
    }

    /** One step: what it does, in words, and its statements. */
    private record Step(String words, List<String> statements) {}

    /**
     * What is left to do; nothing is done yet, but that the schema is brought up to date.
     *
     * @param shards over how many shards the users are distributed
     * @throws UnusableDatabase if the database is not as this class knows it; nothing was done, and the message says what to do
     */
    public static Distribution of(DatabaseConfig config, int shards) {
        if (shards < 1 || shards > MAX_SHARDS) {
            throw unusable("The number of shards must be between 1 and " + MAX_SHARDS + ".");
        }
        try (Connection connection = Connections.once(config)) {
            requireCoordinator(connection);
            Connections.migrate(config);
            requireKnownTables(connection);
            requireNoService(connection);
            return new Distribution(config, steps(connection, shards));
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    /** What each step does, in words; none if everything is done. */
    public List<String> words() {
        return steps.stream().map(Step::words).toList();
    }

    /**
     * Does every step.
     *
     * @param done is told of each step after it was done
     */
    public void run(Consumer<String> done) {
        try (Connection connection = Connections.once(config)) {
            for (Step step : steps) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    for (String sql : step.statements) {
                        statement.execute(sql);
                    }
                }
                connection.commit();
                done.accept(step.words);
            }
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    private static UnusableDatabase unusable(String message) {
        return new UnusableDatabase(message, null);
    }

    private static void requireCoordinator(Connection connection) throws SQLException {
        if (!CitusDialect.isInstalled(connection)) {
            throw unusable("This database has no extension citus. On the coordinator and on every worker: add"
                    + " citus to shared_preload_libraries, create the database, and run CREATE EXTENSION citus in it.");
        }
        boolean isCoordinator = Reads.list(connection, "SELECT citus_is_coordinator()", row -> row.getBoolean(1))
                .get(0);
        if (!isCoordinator) {
            throw unusable("This is a worker; POLICY_DB_URL must name the coordinator.");
        }
        long workers = Reads.list(
                        connection,
                        "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'",
                        row -> row.getLong(1))
                .get(0);
        if (workers == 0) {
            throw unusable("The coordinator knows no worker; add one with citus_add_node.");
        }
    }

    private static void requireKnownTables(Connection connection) throws SQLException {
        Set<String> there = new TreeSet<>(Reads.list(
                connection,
                "SELECT c.relname FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace"
                        + " AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname NOT IN ('citus_tables', 'citus_schemas')",
                row -> row.getString(1)));
        List.of(BY_USER, ON_COORDINATOR).forEach(there::removeAll);
        if (!there.isEmpty()) {
            throw unusable("The schema has tables or views that are not of the service: " + String.join(", ", there)
                    + ". Move them to another schema.");
        }
        List<String> keys = Reads.list(
                connection,
                "SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace",
                row -> row.getString(1));
        if (!keys.isEmpty()) {
            throw unusable("The schema has foreign keys that are not of the service: " + String.join(", ", keys) + ".");
        }
    }

    private static void requireNoService(Connection connection) throws SQLException {
        long connected = Reads.list(
                        connection,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND application_name = 'agent-policy' AND pid <> pg_backend_pid()",
                        row -> row.getLong(1))
                .get(0);
        if (connected > 0) {
            throw unusable("The service has " + connected
                    + " connections to this database. Stop all its nodes, and run this again.");
        }
    }

    private static List<Step> steps(Connection connection, int shards) throws SQLException {
        Map<String, String> placed = placed(connection);
        List<Step> steps = new ArrayList<>();
        for (String table : EVERYWHERE_BEFORE) {
            if (EVERYWHERE.equals(placed.get(table))) {
                steps.add(bringingBack(table));
                placed.remove(table);
            }
        }
        for (String table : BY_USER) {
            if (!isPlaced(table, placed.get(table), "distributed user_id")) {
                steps.add(
                        switch (table) {
                            case "account" -> distributingAccounts(shards);
                            case "agent_key" -> distributingKeys();
                            default -> new Step("distribute " + table + " by user", List.of(distributing(table)));
                        });
            }
        }
        for (String table : ON_COORDINATOR) {
            isPlaced(table, placed.get(table), null);
        }
        requireOneGroup(connection);
        if (!steps.isEmpty()) {
            steps.add(waitingForLocks(connection));
        }
        return steps;
    }

    /** How Citus has placed each table that it knows of. */
    private static Map<String, String> placed(Connection connection) throws SQLException {
        Map<String, String> placed = new HashMap<>();
        Reads.list(
                        connection,
                        "SELECT c.relname, t.citus_table_type || ' ' || t.distribution_column FROM citus_tables t"
                                + " JOIN pg_class c ON c.oid = t.table_name"
                                + " WHERE c.relnamespace = current_schema()::regnamespace",
                        row -> Map.entry(row.getString(1), row.getString(2)))
                .forEach(row -> placed.put(row.getKey(), row.getValue()));
        return placed;
    }

    /** All tables by user must have their shards side by side. */
    private static void requireOneGroup(Connection connection) throws SQLException {
        List<Integer> groups = Reads.list(
                connection,
                "SELECT DISTINCT t.colocation_id FROM citus_tables t JOIN pg_class c ON c.oid = t.table_name"
                        + " WHERE c.relnamespace = current_schema()::regnamespace AND t.citus_table_type = 'distributed'",
                row -> row.getInt(1));
        if (groups.size() > 1) {
            throw unusable("Tables are distributed without being colocated; undo that with undistribute_table.");
        }
    }

    private static boolean isPlaced(String table, @Nullable String now, @Nullable String wanted) {
        if (now != null && !now.equals(wanted)) {
            throw unusable("Table " + table + " is distributed in another way (" + now
                    + "); undo that with undistribute_table.");
        }
        return now != null;
    }

    private static Step distributingAccounts(int shards) {
        return new Step(
                "number the requests of each user, and distribute account by user over " + shards + " shards",
                List.of(
                        // From now on ids are made from this column; they must be higher than those there are.
                        "UPDATE account SET requests_rev = r.last FROM (SELECT user_id, max(id) / 1000000 + 1 AS last"
                                + " FROM service_request GROUP BY user_id) AS r"
                                + " WHERE r.user_id = account.user_id AND account.requests_rev < r.last",
                        "SELECT create_distributed_table('account', 'user_id', colocate_with => 'none', shard_count => "
                                + shards + ")"));
    }

    /** Citus cannot do it for a table whose rows are numbered, so that one is made anew, with the rights that the schema gives
     * to new tables. */
    private static Step bringingBack(String table) {
        return new Step(
                "bring " + table + " back to the coordinator",
                table.equals("signing_key")
                        ? List.of(
                                "CREATE TEMPORARY TABLE kept (LIKE signing_key INCLUDING ALL) ON COMMIT DROP",
                                "INSERT INTO kept SELECT * FROM signing_key",
                                "DROP TABLE signing_key",
                                "CREATE TABLE signing_key (LIKE kept INCLUDING ALL)",
                                "INSERT INTO signing_key SELECT * FROM kept",
                                "SELECT setval(pg_get_serial_sequence('signing_key', 'id'), max(id)) FROM signing_key")
                        : List.of("SELECT undistribute_table('" + table + "')"));
    }

    /** Nothing is unique among the rows of several nodes but by user; the routes keep credentials unique. */
    private static Step distributingKeys() {
        return new Step(
                "note the users of credentials, and distribute agent_key by user",
                List.of(
                        "INSERT INTO key_route(credential_hash, user_id) SELECT credential_hash, user_id FROM agent_key"
                                + " UNION SELECT previous_hash, user_id FROM agent_key WHERE previous_hash IS NOT NULL"
                                + " ON CONFLICT DO NOTHING",
                        "ALTER TABLE agent_key DROP CONSTRAINT IF EXISTS agent_key_credential_hash_key,"
                                + " DROP CONSTRAINT IF EXISTS agent_key_previous_hash_key",
                        distributing("agent_key")));
    }

    private static String distributing(String table) {
        return "SELECT create_distributed_table('" + table + "', 'user_id', colocate_with => 'account')";
    }

    /** The service sets this for its connections to the coordinator, which does not pass it on. */
    private static Step waitingForLocks(Connection connection) throws SQLException {
        String database = Reads.list(connection, "SELECT quote_ident(current_database())", row -> row.getString(1))
                .get(0);
        return new Step(
                "set lock_timeout to 2 seconds for this database on every node",
                List.of("SELECT run_command_on_all_nodes('ALTER DATABASE " + database.replace("'", "''")
                        + " SET lock_timeout = ''2s''')"));
    }
}
