package dev.agentpolicy.adapter.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** What H2 and PostgreSQL do differently. */
abstract class Dialect {
    private final Map<Table, String> writing = new ConcurrentHashMap<>();

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

    private static String inserting(Table table) {
        return "INSERT INTO " + table.sqlName() + "(" + table.names() + ") " + table.unnested();
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

    abstract String replacing(Table table);

    /**
     * Writes account rows, and fails when one is not what it was one change before; takes an array a column, the numbers
     * of the last event before, and how many rows there are.
     */
    abstract String movingAccounts();

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
