package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.dialect.Table;
import dev.agentpolicy.adapter.jdbc.sql.Sql.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows to be written together, by table. Of several rows with one primary key the last one counts. */
public final class RowBuffer {
    private final Map<Table, Map<List<@Nullable Object>, @Nullable Object[]>> rows = new EnumMap<>(Table.class);

    public void put(Table table, @Nullable Object... values) {
        if (values.length != table.columns().size()) {
            throw new IllegalArgumentException("A row of " + table.sqlName() + " has other columns.");
        }
        List<@Nullable Object> key =
                Arrays.asList(values).subList(0, table.keyColumns().size());
        rows(table).put(key, values);
    }

    /** Adds the rows of one table. */
    public void putAll(RowBuffer later, Table table) {
        Map<List<@Nullable Object>, @Nullable Object[]> added = later.rows.get(table);
        if (added != null) {
            rows(table).putAll(added);
        }
    }

    public void putAll(RowBuffer later) {
        later.rows.forEach((table, added) -> rows(table).putAll(added));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether no other table has rows. */
    public boolean isOnlyOf(Set<Table> tables) {
        return tables.containsAll(rows.keySet());
    }

    /** The tables with rows, in the order in which they are written. */
    public Set<Table> tables() {
        return rows.keySet();
    }

    public int size(Table table) {
        return rows(table).size();
    }

    /** The rows of a table, each with a value for every column. */
    public Collection<@Nullable Object[]> rowsOf(Table table) {
        return rows(table).values();
    }

    /** The rows of a table as one array a column. */
    public List<Parameter> columns(Table table) {
        Collection<@Nullable Object[]> values = rowsOf(table);
        List<Parameter> arrays = new ArrayList<>(table.columns().size());
        for (int i = 0; i < table.columns().size(); i++) {
            Table.Column column = table.columns().get(i);
            @Nullable Object[] cells = column.array(values.size());
            int next = 0;
            for (@Nullable Object[] row : values) {
                cells[next++] = row[i];
            }
            arrays.add(new Parameter(column.type(), cells));
        }
        return arrays;
    }

    private Map<List<@Nullable Object>, @Nullable Object[]> rows(Table table) {
        return rows.computeIfAbsent(table, any -> new LinkedHashMap<>());
    }
}
