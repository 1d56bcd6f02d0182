package dev.agentpolicy.adapter.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
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
            send(connection, dialect.writing(table), List.of(table));
        }
    }

    /** Sends all rows in one round trip, and a COMMIT behind them, which the server skips when one cannot be written. */
    void sendWithCommit(Connection connection, Dialect dialect) throws SQLException {
        if (!rows.isEmpty()) {
            List<Table> tables = List.copyOf(rows.keySet());
            String sql = tables.stream().map(dialect::writing).collect(Collectors.joining(";", "", ";COMMIT"));
            send(connection, sql, tables);
        }
    }

    private void send(Connection connection, String sql, List<Table> tables) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = 1;
            for (Table table : tables) {
                List<@Nullable Object[]> values = List.copyOf(rows(table).values());
                for (int i = 0; i < table.columns().size(); i++) {
                    Table.Column column = table.columns().get(i);
                    statement.setArray(parameter++, connection.createArrayOf(column.type(), cells(column, values, i)));
                }
            }
            statement.execute();
        }
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
