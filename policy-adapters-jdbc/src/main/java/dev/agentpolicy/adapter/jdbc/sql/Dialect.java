package dev.agentpolicy.adapter.jdbc.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What H2 and PostgreSQL do differently. */
public abstract class Dialect {
    /** How many events the snapshot of an account, its row with the tallies, may be behind the journal, its chain. */
    public static final int MAX_TAIL = 128;

    private final Map<Set<Table>, String> committing = new ConcurrentHashMap<>();
    private final Map<Table, String> writing = new ConcurrentHashMap<>();
    private @Nullable String appending;

    /**
     * The dialect of a database.
     *
     * @throws UnusableDatabase when it is neither
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

    /** The statement that writes any number of rows; takes an array for each column. */
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
     * The statement that inserts events if certain snapshots are still stored, and nothing otherwise. It locks no account:
     * the primary key of the events lets one transaction append the next event of a chain. Takes arrays of the columns of
     * events, then of the user, the version and the position of each snapshot, and of the users once more.
     */
    public final String appending() {
        String known = appending;
        if (known == null) {
            List<Table.Column> snapshot = List.of(
                    new Table.Column("user_id", "uuid"),
                    new Table.Column("changes", "bigint"),
                    new Table.Column("chain_seq", "bigint"));
            known = inserting(Table.POLICY_EVENT) + " WHERE (SELECT count(*) FROM account a JOIN (" + rowsOf(snapshot)
                    + ") AS g ON a.user_id = g.user_id AND a.changes = g.changes AND a.chain_seq = g.chain_seq)"
                    + " = CARDINALITY(CAST(? AS uuid ARRAY))";
            appending = known;
        }
        return known;
    }

    private String inserting(Table table) {
        return "INSERT INTO " + table.sqlName() + "(" + table.names() + ") SELECT " + table.stored() + " FROM ("
                + rowsOf(table.columns()) + ") AS v";
    }

    /** The URL to connect with, made durable; refuses one that asks for less. */
    public abstract String url(String url);

    /** Properties of its driver. */
    abstract Map<String, String> properties();

    /** What every new connection is told. */
    abstract String greeting();

    /** What every new connection of a lane is told. */
    abstract String greetingOfLanes();

    /** Refuses a server that would lose what it acknowledged. */
    public abstract void requireDurable(Connection connection) throws SQLException;

    /** The query for the time by the clock of the server; null where that is the clock of this process. */
    public abstract @Nullable String tellingTime();

    /** Warns when the role of the service has rights over the rows of the chains that it does not need. */
    public abstract void warnOfExcessRights(Connection connection);

    /** A sentence on why no connection can be had, for whoever starts the service. */
    abstract String unreachable(SQLException failed);

    /** What to tell the operator when a failure shows that files of the database are damaged. */
    Optional<String> damage(SQLException failed) {
        return Optional.empty();
    }

    /** What follows {@code CREATE TABLE} for tables whose rows are updated all the time. */
    abstract String oftenUpdated();

    /** Makes it short to find the rows of a chain whose payload is erased. */
    abstract String indexOfErased();

    abstract String replacing(Table table);

    /** The query that makes rows of arrays, a parameter a column. */
    abstract String rowsOf(List<Table.Column> columns);

    /** What to join with an account {@code a} to have its journal tail, with one row too many when it is too long, as {@code e}. */
    public abstract String tails();

    /** Makes account rows that are not there; takes an array of user ids. */
    public abstract String creatingAccounts();

    /**
     * Locks the calls of keys on days, after it has made the rows that are missing, and reads them; takes arrays of user
     * ids, key ids and days.
     */
    public abstract String lockingDailyCalls();

    /**
     * Counts a call of a key on a day and answers the calls of that day, or no row when there are as many as the cap;
     * takes a user id, a key id, the day and the cap.
     */
    public abstract String countingDailyCall();

    /** Draws ids of requests; takes how many. */
    public abstract String drawingIds();

    /** Whether statements separated by semicolons are one round trip; each still sees what those before it did. */
    public abstract boolean takesManyAtOnce();

    /** In what portions account rows may be locked so that it happens in order. */
    public abstract int lockedTogether();

    /** Lanes of a node unless configured. */
    abstract int usualLanes();

    /** Where the file of the database lies; empty when it has none of this process. */
    public Optional<Path> directory() {
        return Optional.empty();
    }

    /** The opened database behind a connection, where all its connections are lost with it; null where they are not. */
    @Nullable
    Object database(Connection connection) throws SQLException {
        return null;
    }

    /** Whether what {@link #database} answered is still open. */
    boolean isOpen(Object database) {
        return true;
    }

    /** Makes what was just committed survive a power cut, where committing alone does not. */
    public abstract void flush(Connection connection) throws SQLException;

    /** Whose turn it is to change something. */
    public abstract WriteLock turns();

    static String list(Collection<Table.Column> columns) {
        return columns.stream().map(Table.Column::name).collect(Collectors.joining(", "));
    }

    static List<Table.Column> otherColumns(Table table) {
        return table.columns()
                .subList(table.keyColumns().size(), table.columns().size());
    }
}
