package dev.agentpolicy.adapter.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows to be written together, by table; of several for one key the last one counts. */
final class Writes {
    private final Map<Table, Map<List<@Nullable Object>, @Nullable Object[]>> rows = new EnumMap<>(Table.class);

    void put(Table table, @Nullable Object... values) {
        if (values.length != table.columns().size()) {
            throw new IllegalArgumentException("A row of " + table.sqlName() + " has other columns.");
        }
        List<@Nullable Object> key =
                Arrays.asList(values).subList(0, table.keyColumns().size());
        rows(table).put(key, values);
    }

    void putAll(Writes later) {
        later.rows.forEach((table, added) -> rows(table).putAll(added));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Sends every table's rows in a statement of its own. */
    void send(Connection connection, Dialect dialect) throws SQLException {
        for (Table table : rows.keySet()) {
            try (PreparedStatement statement = connection.prepareStatement(dialect.writing(table))) {
                bind(connection, statement, table, 1);
                statement.execute();
            }
        }
    }

    /**
     * Sends all rows in one round trip, and a COMMIT behind them, which the server skips when one cannot be written.
     *
     * @param remembered the last event of each account, in their order, when account rows must first be found to be what
     *     they were one change before; else empty
     */
    void sendWithCommit(Connection connection, Dialect dialect, List<Long> remembered) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        List<Table> tables = new ArrayList<>(rows.keySet());
        boolean isFromMemory = !remembered.isEmpty();
        if (isFromMemory) {
            tables.remove(Table.ACCOUNT);
            tables.add(0, Table.ACCOUNT);
        }
        String sql = tables.stream()
                .map(table ->
                        isFromMemory && table == Table.ACCOUNT ? dialect.movingAccounts() : dialect.writing(table))
                .collect(Collectors.joining(";", "", ";COMMIT"));
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = 1;
            for (Table table : tables) {
                next = bind(connection, statement, table, next);
                if (isFromMemory && table == Table.ACCOUNT) {
                    statement.setArray(next++, connection.createArrayOf("bigint", remembered.toArray(Long[]::new)));
                    statement.setInt(next++, remembered.size());
                }
            }
            statement.execute();
        }
    }

    /** Binds an array a column; answers the number of the next parameter. */
    private int bind(Connection connection, PreparedStatement statement, Table table, int first) throws SQLException {
        int next = first;
        List<@Nullable Object[]> values = List.copyOf(rows(table).values());
        for (int i = 0; i < table.columns().size(); i++) {
            Table.Column column = table.columns().get(i);
            statement.setArray(next++, connection.createArrayOf(column.type(), cells(column, values, i)));
        }
        return next;
    }

    private Map<List<@Nullable Object>, @Nullable Object[]> rows(Table table) {
        return rows.computeIfAbsent(table, any -> new LinkedHashMap<>());
    }

    private static @Nullable Object[] cells(Table.Column column, List<@Nullable Object[]> rows, int index) {
        @Nullable Object[] cells = column.array(rows.size());
        for (int i = 0; i < cells.length; i++) {
            cells[i] = rows.get(i)[index];
        }
        return cells;
    }
}
