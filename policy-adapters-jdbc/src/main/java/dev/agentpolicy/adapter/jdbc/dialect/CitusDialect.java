package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * PostgreSQL with Citus, whose tables are distributed by user (docs/scaling.md). The rows of a user lie in one shard, on one
 * worker.
 *
 * <p>A node of the service has a lane for each shard, so that all users of a batch are in one shard. Every statement of a
 * batch names these users by {@code user_id = ANY(?)}. Citus then sends it to the worker as it is, and the transaction
 * commits on that worker alone, in one phase. The shards are read once, when the database is opened.
 */
public final class CitusDialect extends PostgresDialect {
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

    /** Whether a database has the extension, whether or not any table is distributed. */
    public static boolean isInstalled(Connection connection) throws SQLException {
        return !column(connection, "SELECT 1 FROM pg_extension WHERE extname = 'citus'")
                .isEmpty();
    }

    /** Each statement is planned for the users that it is given; a plan for any users could not be sent to one node. */
    @Override
    public String initialSqlOfLanes() {
        return initialSql(MAX_LANE_IDLE_MILLIS);
    }

    @Override
    public void requireDurable(Connection connection) throws SQLException {
        super.requireDurable(connection);
        requireDurableWorkers(connection);
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

    @Override
    String appending(String condition) {
        return inserting(Table.POLICY_EVENT) + " AND " + condition;
    }

    @Override
    public boolean isRouted(Table table) {
        return table.isByUser();
    }

    /** Joined with the accounts, since Citus takes the shard of the rows from theirs. */
    @Override
    String inserting(Table table) {
        return isRouted(table)
                ? "INSERT INTO " + table.sqlName() + "(" + table.names() + ") SELECT " + table.stored()
                        + " FROM account a JOIN (" + rowsOf(table.columns())
                        + ") AS v ON v.user_id = a.user_id WHERE TRUE"
                        + ofUsers("a")
                : super.inserting(table);
    }

    /** The accounts of a batch are there, since it has locked them. */
    @Override
    String replacing(Table table) {
        if (!isRouted(table)) {
            return super.replacing(table);
        }
        return table.sqlName().equals(Table.ACCOUNT.sqlName())
                ? "UPDATE account a SET "
                        + otherColumns(table).stream()
                                .map(column -> column.name() + " = v." + column.name())
                                .collect(Collectors.joining(", "))
                        + " FROM (" + rowsOf(table.columns()) + ") AS v WHERE v.user_id = a.user_id" + ofUsers("a")
                : inserting(table) + onConflict(table);
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
