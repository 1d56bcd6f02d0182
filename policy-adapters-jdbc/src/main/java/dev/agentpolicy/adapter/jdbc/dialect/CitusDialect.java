package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL with Citus, whose tables are distributed by user (docs/scaling.md). The rows of a user lie in one shard, on one
 * worker.
 *
 * <p>A node of the service has a lane for each shard, so that all users of a batch are in one shard. Every statement of a
 * batch names these users by {@code user_id = ANY(?)}, or writes one row of one of them. Citus then sends it to the worker as
 * it is, and the transaction commits on that worker alone, in one phase. A lane sends it to that worker itself. The shards are read once, when the
 * database is opened; where they lie, again and again.
 */
public final class CitusDialect extends PostgresDialect {
    private static final String ADDRESS =
            "CASE WHEN strpos(n.nodename, ':') > 0 THEN '[' || n.nodename || ']' ELSE n.nodename END || ':' || n.nodeport";

    /** A worker with the metadata takes statements of clients. */
    private static final String WORKERS = "SELECT CAST(s.shardminvalue AS integer), " + ADDRESS
            + " FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid"
            + " JOIN pg_dist_node n ON n.groupid = p.groupid WHERE s.logicalrelid = to_regclass('account')"
            + " AND p.shardstate = 1 AND n.noderole = 'primary' AND n.isactive AND n.hasmetadata AND n.metadatasynced";

    private static final String REACHES = "SELECT citus_check_connection_to_node(?, ?)";

    /** The shards of the tables by user on the worker that is asked, those of each table in the same order. */
    private static final String SHARDS_HERE =
            "SELECT CAST(s.logicalrelid AS text), shard_name(s.logicalrelid, s.shardid)"
                    + " FROM pg_dist_shard s JOIN pg_dist_placement p ON p.shardid = s.shardid WHERE s.shardminvalue IS NOT NULL"
                    + " AND p.groupid = (SELECT groupid FROM pg_dist_local_group) ORDER BY CAST(s.shardminvalue AS integer)";

    /** The coordinator would try for half a minute to connect to a worker that does not answer. */
    private static final String IMPATIENT = "; SET citus.node_connection_timeout = 2000";

    private static final Pattern TABLE_NAME = Pattern.compile("((?:FROM|JOIN) )([a-z_]+)");

    /** The least hash of each shard, in their order. */
    private final int[] shards;

    private CitusDialect(int[] shards) {
        this.shards = shards;
    }

    /**
     * The dialect of a database whose tables are distributed; empty for any other PostgreSQL.
     *
     * @throws UnusableDatabase if they are not distributed as this version needs it
     */
    public static Optional<PostgresDialect> find(Connection connection) throws SQLException {
        if (!isInstalled(connection)) {
            return Optional.empty();
        }
        int[] least = column(
                        connection,
                        "SELECT CAST(shardminvalue AS integer) FROM pg_dist_shard"
                                + " WHERE logicalrelid = to_regclass('account') ORDER BY 1")
                .stream()
                .mapToInt(Integer::parseInt)
                .toArray();
        if (least.length > 0) {
            requireDistributedKeys(connection);
        }
        return least.length == 0 ? Optional.empty() : Optional.of(new CitusDialect(least));
    }

    /** Keys are distributed last, and were not before this version. */
    private static void requireDistributedKeys(Connection connection) throws SQLException {
        boolean isDone = !column(
                        connection,
                        "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass('agent_key')"
                                + " AND partmethod = 'h'")
                .isEmpty();
        if (!isDone) {
            throw new UnusableDatabase(
                    "The tables of this database were distributed by an earlier version, or not all of them. Stop all nodes"
                            + " of the service, and run: schema distribute",
                    null);
        }
    }

    /**
     * Where the shard of each lane lies: the address of a worker as the cluster knows it, {@code host:port}; null for one that
     * clients cannot use.
     */
    public List<@Nullable String> workers(Connection connection) throws SQLException {
        Map<Integer, String> found = new HashMap<>();
        // Prepared, since it is asked twice a second, and planning takes longer than executing.
        try (PreparedStatement statement = connection.prepareStatement(WORKERS);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.put(row.getInt(1), row.getString(2));
            }
        }
        List<@Nullable String> workers = new ArrayList<>();
        for (int least : shards) {
            workers.add(found.get(least));
        }
        return workers;
    }

    /**
     * SQL for a new connection to a worker, which fails at any other server: what is written there would be lost to the cluster.
     *
     * @param address of the worker, as the cluster knows it
     */
    public static String requiringWorker(String address) {
        return "DO $$ BEGIN IF pg_is_in_recovery() OR NOT EXISTS (SELECT 1 FROM pg_dist_local_group g"
                + " JOIN pg_dist_node n ON n.groupid = g.groupid WHERE " + ADDRESS + " = '" + address.replace("'", "''")
                + "') THEN RAISE EXCEPTION 'another server is there; check POLICY_DB_WORKERS'; END IF; END $$";
    }

    /** Whether the coordinator can connect to a worker, by the address that the cluster has for it. */
    public boolean reaches(Connection coordinator, String address) throws SQLException {
        int port = address.lastIndexOf(':');
        String host = address.substring(0, port).replaceAll("^\\[|]$", "");
        try (PreparedStatement statement = coordinator.prepareStatement(REACHES)) {
            statement.setString(1, host);
            statement.setInt(2, Integer.parseInt(address.substring(port + 1)));
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** Whether a database has the extension, whether or not any table is distributed. */
    public static boolean isInstalled(Connection connection) throws SQLException {
        return !column(connection, "SELECT 1 FROM pg_extension WHERE extname = 'citus'")
                .isEmpty();
    }

    /** A statement for several users is planned for these; a plan for any users could not be sent to one node. */
    @Override
    public String initialSqlOfLanes() {
        return initialSql(MAX_LANE_IDLE_MILLIS) + IMPATIENT;
    }

    @Override
    public void requireDurable(Connection connection) throws SQLException {
        super.requireDurable(connection);
        requireDurableWorkers(connection);
    }

    @Override
    public String tellingTimes() {
        return tellingTime() + " UNION ALL SELECT CAST(result AS timestamptz) FROM" + " run_command_on_workers('"
                + tellingTime() + "') WHERE success";
    }

    @Override
    public String initialSql() {
        return super.initialSql() + IMPATIENT;
    }

    @Override
    public boolean isDistributed() {
        return true;
    }

    @Override
    public int defaultLanes() {
        return shards.length;
    }

    @Override
    public int lane(UserId user, int lanes) {
        int found = Arrays.binarySearch(shards, UuidHash.of(user.value()));
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public List<String> ofShards(Connection worker, String query) throws SQLException {
        Map<String, List<String>> shardsOf = new HashMap<>();
        try (Statement statement = worker.createStatement();
                ResultSet row = statement.executeQuery(SHARDS_HERE)) {
            while (row.next()) {
                shardsOf.computeIfAbsent(row.getString(1), any -> new ArrayList<>())
                        .add(row.getString(2));
            }
        }
        int here = shardsOf.getOrDefault(Table.ACCOUNT.sqlName(), List.of()).size();
        return IntStream.range(0, here)
                .mapToObj(i -> TABLE_NAME.matcher(query).replaceAll(table -> {
                    List<String> shards = shardsOf.get(table.group(2));
                    return table.group(1) + (shards == null ? table.group(2) : shards.get(i));
                }))
                .toList();
    }

    @Override
    public int askedTogether() {
        return 1;
    }

    @Override
    public int lockedTogether() {
        return 1;
    }

    @Override
    public boolean drawsIds() {
        return false;
    }

    @Override
    public String ofUsers(String rows) {
        return " AND " + rows + ".user_id = ANY(CAST(? AS uuid ARRAY))";
    }

    @Override
    public String given(String name, String... columns) {
        return "(" + rowsOf(Stream.of(columns).map(Table.Column::of).toList()) + ") AS " + name;
    }

    @Override
    public String tailsOfUsers() {
        return tails(ofUsers("p"));
    }

    /**
     * Citus keeps the plan for one row. A statement that joins arrays it would plan anew each time, and for every shard that
     * there is.
     */
    @Override
    String inserting(Table table) {
        return table.isByUser()
                ? insertInto(table)
                        + table.columns().stream().map(column -> "?").collect(Collectors.joining(", ", "VALUES (", ")"))
                : super.inserting(table);
    }

    @Override
    public String lockingDailyCalls() {
        return "INSERT INTO daily_call (user_id, agent_key_id, call_day, calls) SELECT n.u, n.k, n.d, 0 FROM account a"
                + " JOIN (SELECT unnest(CAST(? AS uuid ARRAY)) AS u, unnest(CAST(? AS uuid ARRAY)) AS k,"
                + " unnest(CAST(? AS date ARRAY)) AS d) AS n ON n.u = a.user_id WHERE TRUE" + ofUsers("a")
                + " ON CONFLICT (user_id, agent_key_id, call_day) DO UPDATE SET calls = daily_call.calls"
                + " RETURNING user_id, agent_key_id, calls";
    }

    /**
     * The hash by which PostgreSQL, and so Citus, places rows with a UUID as their key: Bob Jenkins' lookup3 over its 16 bytes,
     * read as PostgreSQL does on processors with the low byte first. {@code SELECT uuid_hash(...)} answers the same.
     */
    static final class UuidHash {
        private static final int LENGTH = 16;
        private static final int START = 0x9e3779b9 + LENGTH + 3923095;

        private UuidHash() {}

        static int of(UUID id) {
            long high = Long.reverseBytes(id.getMostSignificantBits());
            long low = Long.reverseBytes(id.getLeastSignificantBits());
            int a = START + (int) high;
            int b = START + (int) (high >>> Integer.SIZE);
            int c = START + (int) low;

            // The first three words are mixed.
            a = a - c ^ Integer.rotateLeft(c, 4);
            c += b;
            b = b - a ^ Integer.rotateLeft(a, 6);
            a += c;
            c = c - b ^ Integer.rotateLeft(b, 8);
            b += a;
            a = a - c ^ Integer.rotateLeft(c, 16);
            c += b;
            b = b - a ^ Integer.rotateLeft(a, 19);
            a += c;
            c = c - b ^ Integer.rotateLeft(b, 4);
            b += a;

            // The fourth word comes last.
            a += (int) (low >>> Integer.SIZE);
            c = (c ^ b) - Integer.rotateLeft(b, 14);
            a = (a ^ c) - Integer.rotateLeft(c, 11);
            b = (b ^ a) - Integer.rotateLeft(a, 25);
            c = (c ^ b) - Integer.rotateLeft(b, 16);
            a = (a ^ c) - Integer.rotateLeft(c, 4);
            b = (b ^ a) - Integer.rotateLeft(a, 14);
            c = (c ^ b) - Integer.rotateLeft(b, 24);
            return c;
        }
    }
}
