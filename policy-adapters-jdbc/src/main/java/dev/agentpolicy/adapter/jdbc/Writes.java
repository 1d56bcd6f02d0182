package dev.agentpolicy.adapter.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        rows.computeIfAbsent(table, any -> new LinkedHashMap<>()).put(key, values);
    }

    void putAll(Writes later) {
        later.rows.forEach((table, added) ->
                rows.computeIfAbsent(table, any -> new LinkedHashMap<>()).putAll(added));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Sends every table's rows in one statement. */
    void send(Connection connection, Dialect dialect) throws SQLException {
        for (Map.Entry<Table, Map<List<@Nullable Object>, @Nullable Object[]>> entry : rows.entrySet()) {
            Table table = entry.getKey();
            List<@Nullable Object[]> values = List.copyOf(entry.getValue().values());
            try (PreparedStatement statement = connection.prepareStatement(dialect.writing(table))) {
                for (int i = 0; i < table.columns().size(); i++) {
                    Table.Column column = table.columns().get(i);
                    statement.setArray(i + 1, connection.createArrayOf(column.type(), cells(column, values, i)));
                }
                statement.executeUpdate();
            }
        }
    }

    private static @Nullable Object[] cells(Table.Column column, List<@Nullable Object[]> rows, int index) {
        @Nullable Object[] cells = column.array(rows.size());
        for (int i = 0; i < cells.length; i++) {
            cells[i] = rows.get(i)[index];
        }
        return cells;
    }
}
