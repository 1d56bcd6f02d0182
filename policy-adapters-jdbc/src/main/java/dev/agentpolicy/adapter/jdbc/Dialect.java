package dev.agentpolicy.adapter.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What H2 and PostgreSQL do differently. */
abstract class Dialect {
    private final Map<Table, String> writing = new ConcurrentHashMap<>();
    private final Map<Set<Table>, String> committing = new ConcurrentHashMap<>();
    private final Map<Set<Table>, String> committingGrown = new ConcurrentHashMap<>();

    /**
     * The dialect of a database.
     *
     * @throws UnusableDatabase when it is neither
     */
    static Dialect of(String url) {
        if (url.startsWith(H2Dialect.PREFIX)) {
            return new H2Dialect(url);
        }
        if (url.startsWith(PostgresDialect.PREFIX)) {
            return new PostgresDialect();
        }
        throw new UnusableDatabase(
                "The database URL must begin with " + H2Dialect.PREFIX + " or " + PostgresDialect.PREFIX + ".", null);
    }

    /** The statement that writes any number of rows, an array a column. */
    final String writing(Table table) {
        return writing.computeIfAbsent(table, any -> table.isReplaced() ? replacing(table) : inserting(table));
    }

    /**
     * Statements that write rows of some tables, and a COMMIT behind them.
     *
     * @param grown whether of accounts only what has grown is written, in a transaction that begins here
     */
    final String committing(Set<Table> tables, boolean grown) {
        Map<Set<Table>, String> known = grown ? committingGrown : committing;
        String sql = known.get(tables);
        if (sql == null) {
            sql = tables.stream()
                    .map(table -> grown && table == Table.ACCOUNT ? growingAccounts() : writing(table))
                    .collect(Collectors.joining(";", grown ? "BEGIN;" : "", ";COMMIT"));
            known.put(Set.copyOf(tables), sql);
        }
        return sql;
    }

    private String inserting(Table table) {
        return "INSERT INTO " + table.sqlName() + "(" + table.names() + ") " + rowsOf(table.columns());
    }

    /** The URL to connect with, made durable; refuses one that asks for less. */
    abstract String url(String url);

    /** Properties of its driver. */
    abstract Map<String, String> properties();

    /** What every new connection is told. */
    abstract String greeting();

    /** Refuses a server that would lose what it acknowledged. */
    abstract void requireDurable(Connection connection) throws SQLException;

    /** A sentence on why no connection can be had, for whoever starts the service. */
    abstract String unreachable(SQLException failed);

    /** What follows {@code CREATE TABLE} for tables whose rows are updated all the time. */
    abstract String oftenUpdated();

    /** Makes it short to find the rows of a chain whose payload is erased. */
    abstract String indexOfErased();

    /** Drops the index of event ids that began with the user. */
    abstract String droppingEventIdsOfUsers();

    abstract String replacing(Table table);

    /** The query that makes rows of arrays, a parameter a column. */
    abstract String rowsOf(List<Table.Column> columns);

    /**
     * Writes what has grown of accounts, and fails when one is not what it was one change before; takes arrays of users, of
     * the columns that grow and of the numbers of the last event before, and how many rows there are.
     */
    abstract String growingAccounts();

    /** An array to be bound. */
    abstract Array array(Connection connection, String type, @Nullable Object[] values) throws SQLException;

    /** Makes account rows that are not there; takes an array of user ids. */
    abstract String creatingAccounts();

    /** Draws ids of requests; takes how many. */
    abstract String drawingIds();

    /** Whether statements separated by semicolons are one round trip; each still sees what those before it did. */
    abstract boolean takesManyAtOnce();

    /** In what portions account rows may be locked so that it happens in order. */
    abstract int lockedTogether();

    /** Lanes of a node unless configured. */
    abstract int usualLanes();

    /** Makes what was just committed survive a power cut, where committing alone does not. */
    abstract void flush(Connection connection) throws SQLException;

    /** Whose turn it is to change something. */
    abstract Turns turns();

    static String list(Collection<Table.Column> columns) {
        return columns.stream().map(Table.Column::name).collect(Collectors.joining(", "));
    }

    static List<Table.Column> otherColumns(Table table) {
        return table.columns()
                .subList(table.keyColumns().size(), table.columns().size());
    }
}
