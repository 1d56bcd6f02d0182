package dev.agentpolicy.adapter.jdbc.dialect;

import dev.agentpolicy.domain.agent.UserId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The differences between H2, PostgreSQL, and PostgreSQL whose tables are distributed. */
public abstract class Dialect {
    /** How many events the snapshot of an account, its row with the tallies, may be behind the journal, its chain. */
    public static final int MAX_TAIL = 128;

    private final Map<Set<Table>, String> committing = new ConcurrentHashMap<>();
    private final Map<Table, String> writing = new ConcurrentHashMap<>();
    private @Nullable String appending;

    /**
     * The dialect of a database.
     *
     * @throws UnusableDatabase if it is neither
     */
    public static Dialect of(String url) {
        if (url.startsWith(H2Dialect.PREFIX)) {
            return new H2Dialect(url);
        }
        if (url.startsWith(PostgresDialect.PREFIX)) {
            return new PostgresDialect();
        }
        throw new UnusableDatabase(
                "The database URL must begin with " + H2Dialect.PREFIX + " or " + PostgresDialect.PREFIX + ".", null);
    }

    /**
     * The statement that writes any number of rows; takes an array for each column. On a cluster it writes one row of a table
     * by user, and takes a value for each column.
     */
    public final String writing(Table table) {
        return writing.computeIfAbsent(table, any -> table.isReplaced() ? replacing(table) : inserting(table));
    }

    /** Statements that write rows of some tables, followed by a COMMIT. */
    public final String committing(Set<Table> tables) {
        String known = committing.get(tables);
        return known != null
                ? known
                : committing.computeIfAbsent(
                        Set.copyOf(tables),
                        any -> tables.stream().map(this::writing).collect(Collectors.joining(";", "", ";COMMIT")));
    }

    /**
     * The statement that inserts events if certain snapshots are still stored, and nothing otherwise. Not for a cluster. It locks no account:
     * the primary key of the events lets one transaction append the next event of a chain. Takes an array for each column of
     * events, then arrays of the user, the version and the position of each snapshot, and of the users.
     */
    public final String appending() {
        String known = appending;
        if (known == null) {
            List<Table.Column> snapshot = List.of(
                    new Table.Column("user_id", "uuid"),
                    new Table.Column("changes", "bigint"),
                    new Table.Column("chain_seq", "bigint"));
            known = insertInto(Table.POLICY_EVENT) + "SELECT * FROM (" + rowsOf(Table.POLICY_EVENT.columns())
                    + ") AS v WHERE (SELECT count(*) FROM account s JOIN (" + rowsOf(snapshot)
                    + ") AS g ON s.user_id = g.user_id AND s.changes = g.changes AND s.chain_seq = g.chain_seq)"
                    + " = CARDINALITY(CAST(? AS uuid ARRAY))";
            appending = known;
        }
        return known;
    }

    /**
     * A condition more on rows of users that are given otherwise, where the database needs it to find their node; takes the
     * users. Empty where there is one node.
     */
    public String ofUsers(String rows) {
        return "";
    }

    /**
     * Rows of given values, to select from; takes an array for each column. PostgreSQL looks at the length of an array before
     * it plans, unless the array comes from a query; for short arrays it would plan each time anew, which takes longer than to
     * execute.
     *
     * @param columns with their types, for example {@code "user_id uuid"}
     */
    public String given(String name, String... columns) {
        List<Table.Column> all = Stream.of(columns).map(Table.Column::of).toList();
        return all.stream()
                .map(column -> "(SELECT " + column.parameter() + ")")
                .collect(Collectors.joining(", ", "unnest(", ") AS " + name + "(" + list(all) + ")"));
    }

    /** Whether the rows of users are on several nodes, so that {@link #ofUsers} has a parameter. */
    public boolean isDistributed() {
        return false;
    }

    /** How many lanes a node has. */
    public final int lanes(int configured) {
        return configured > 0 && !isDistributed() ? configured : defaultLanes();
    }

    /** The lane of a user, of so many. */
    public int lane(UserId user, int lanes) {
        int hash = user.hashCode();
        return Math.floorMod(hash ^ hash >>> Short.SIZE, lanes);
    }

    /** Rows of users, those of each lane of a cluster by themselves, to be read at its worker; otherwise all together. */
    public final <T> Collection<List<T>> byLane(Collection<T> rows, Function<T, UserId> user) {
        return rows.stream()
                .collect(Collectors.groupingBy(row -> isDistributed() ? lane(user.apply(row), defaultLanes()) : 0))
                .values();
    }

    /**
     * The same query for each shard that lies on the worker behind a connection: its tables by user, after {@code FROM} or
     * {@code JOIN}, are those of the shard. None where there are no workers.
     */
    public List<String> ofShards(Connection worker, String query) throws SQLException {
        return List.of();
    }

    /** How many users one query asks for; with more than one, a part of the database that is away fails them all. */
    public int askedTogether() {
        return Integer.MAX_VALUE;
    }

    /** Whether ids of requests are {@linkplain #drawingIds drawn}; otherwise the requests of each user are numbered. */
    public boolean drawsIds() {
        return true;
    }

    String inserting(Table table) {
        return insertInto(table) + rowsOf(table.columns());
    }

    static String insertInto(Table table) {
        return "INSERT INTO " + table.sqlName() + "(" + list(table.columns()) + ") ";
    }

    /** The URL to connect with, made durable; refuses one that asks for less. */
    public abstract String url(String url);

    /** Properties of its driver. */
    public abstract Map<String, String> properties();

    /** SQL for every new connection. */
    public abstract String initialSql();

    /** SQL for every new connection of a lane. */
    public abstract String initialSqlOfLanes();

    /** Refuses a server that would lose what it has acknowledged. */
    public abstract void requireDurable(Connection connection) throws SQLException;

    /** The query for the time of the server's clock; null if that is the clock of this process. */
    public abstract @Nullable String tellingTime();

    /** The same for the times of all servers that have a part of the data. */
    public @Nullable String tellingTimes() {
        return tellingTime();
    }

    /** Whether the role of the service may erase payloads. */
    public abstract boolean mayErase(Connection connection) throws SQLException;

    /** Warns if the role of the service may change or delete events. */
    public abstract void warnOfExcessRights(Connection connection) throws SQLException;

    /** Says, for the operator, why no connection can be opened. */
    public abstract String unreachable(SQLException failed);

    /** What to tell the operator if a failure shows that files of the database are damaged. */
    public Optional<String> damage(SQLException failed) {
        return Optional.empty();
    }

    /** What follows {@code CREATE TABLE} for tables whose rows are updated often. */
    public abstract String oftenUpdated();

    /** Creates an index of the events whose payload is erased, if the database has partial indexes. */
    public abstract String indexOfErased();

    /** What restricts an index to the rows that queries look for, if the database has partial indexes. */
    public abstract String indexedWhere(String condition);

    abstract String replacing(Table table);

    /** The query that turns arrays into rows, with one parameter for each column. */
    abstract String rowsOf(List<Table.Column> columns);

    /** What to join with an account {@code a} for its journal's tail {@code e}; one row too many if that is too long. */
    public abstract String tails();

    /** The same with the condition of {@link #ofUsers}. */
    public String tailsOfUsers() {
        return tails();
    }

    /** Creates missing account rows; takes an array of user ids. */
    public abstract String creatingAccounts();

    /**
     * Creates missing counts of calls, locks them and reads them; takes arrays of user ids, key ids and days.
     */
    public abstract String lockingDailyCalls();

    /**
     * Counts a call of a key on a day and returns the calls of that day, or no row if the cap is reached; takes a user id,
     * a key id, the day and the cap.
     */
    public abstract String countingDailyCall();

    /** Draws ids of requests; takes how many. */
    public abstract String drawingIds();

    /** Whether statements separated by semicolons take one round trip; each sees the effects of those before it. */
    public abstract boolean takesManyAtOnce();

    /** How many rows one statement may lock so that they are locked in its order. */
    public abstract int lockedTogether();

    /** The default number of lanes of a node. */
    public abstract int defaultLanes();

    /** The folder of the database file; empty if this process has none. */
    public Optional<Path> directory() {
        return Optional.empty();
    }

    /** The open database behind a connection, if closing it ends all its connections; null otherwise. */
    @Nullable
    public Object database(Connection connection) throws SQLException {
        return null;
    }

    /** Whether the result of {@link #database} is still open. */
    public boolean isOpen(Object database) {
        return true;
    }

    /** Makes the last commit survive a power cut, if COMMIT alone does not. */
    public abstract void flush(Connection connection) throws SQLException;

    /** The lock that every transaction that changes something must hold. */
    public abstract WriteLock writeLock();

    /** The first column of all rows of a query. */
    static List<String> column(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }

    static String list(Collection<Table.Column> columns) {
        return columns.stream().map(Table.Column::name).collect(Collectors.joining(", "));
    }

    static List<Table.Column> otherColumns(Table table) {
        return table.columns()
                .subList(table.keyColumns().size(), table.columns().size());
    }
}
