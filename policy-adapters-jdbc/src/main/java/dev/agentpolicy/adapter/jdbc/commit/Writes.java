package dev.agentpolicy.adapter.jdbc.commit;

import dev.agentpolicy.adapter.jdbc.sql.AccountRow;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.adapter.jdbc.sql.Table;
import dev.agentpolicy.domain.agent.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
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

    /** Adds the rows of one table only. */
    void putAll(Writes later, Table table) {
        Map<List<@Nullable Object>, @Nullable Object[]> added = later.rows.get(table);
        if (added != null) {
            rows(table).putAll(added);
        }
    }

    void putAll(Writes later) {
        later.rows.forEach((table, added) -> rows(table).putAll(added));
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Whether there are rows of no other tables. */
    boolean isOnlyOf(Set<Table> tables) {
        return tables.containsAll(rows.keySet());
    }

    /**
     * Sends all rows; where the database takes many statements at once, in one round trip with a COMMIT behind them, which
     * the server skips when one cannot be written.
     */
    void send(Connection connection, Dialect dialect) throws SQLException {
        send(connection, dialect, null);
    }

    /**
     * The same for accounts that were not locked and have only grown; fails when one is not what it was one change before.
     * Where the database takes many statements at once, it is a transaction of its own.
     *
     * @param remembered the last event that each account row tells of, in their order
     */
    void sendGrown(Connection connection, Dialect dialect, List<Long> remembered) throws SQLException {
        send(connection, dialect, remembered);
    }

    private void send(Connection connection, Dialect dialect, @Nullable List<Long> remembered) throws SQLException {
        boolean grown = remembered != null;
        if (rows.isEmpty()) {
            return;
        }
        if (dialect.takesManyAtOnce()) {
            send(connection, dialect, dialect.committing(rows.keySet(), grown), rows.keySet(), remembered);
            return;
        }
        for (Table table : rows.keySet()) {
            send(connection, dialect, dialect.writing(table, grown), Set.of(table), remembered);
        }
    }

    private void send(
            Connection connection, Dialect dialect, String sql, Set<Table> tables, @Nullable List<Long> remembered)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            Binding binding = new Binding(connection, dialect, statement);
            for (Table table : tables) {
                if (table == Table.ACCOUNT && remembered != null) {
                    binding.rows(table, Table.GROWN);
                    binding.array("bigint", remembered.toArray(Long[]::new));
                    binding.count(remembered.size());
                } else {
                    binding.rows(table, table.columns());
                }
            }
            statement.execute();
        }
    }

    /**
     * Sends the events alone and leaves the account rows as they are; fails when one is not what is remembered. On a
     * connection that commits by itself it is a transaction of its own: one statement is all or nothing.
     *
     * @param remembered the account rows
     */
    void sendTrailing(Connection connection, Dialect dialect, Map<UserId, AccountRow> remembered) throws SQLException {
        List<AccountRow> accounts = rows(Table.POLICY_EVENT).values().stream()
                .map(row -> Objects.requireNonNull(remembered.get(new UserId((UUID) Objects.requireNonNull(row[0])))))
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(dialect.trailing())) {
            Binding binding = new Binding(connection, dialect, statement);
            binding.rows(Table.POLICY_EVENT, Table.POLICY_EVENT.columns());
            binding.array("bigint", accounts.stream().map(AccountRow::changes).toArray(Long[]::new));
            binding.array("bigint", accounts.stream().map(AccountRow::storedSeq).toArray(Long[]::new));
            statement.execute();
        }
    }

    /** Parameters of a statement, one after the other. */
    private final class Binding {
        private final Connection connection;
        private final Dialect dialect;
        private final PreparedStatement statement;
        private int next = 1;

        Binding(Connection connection, Dialect dialect, PreparedStatement statement) {
            this.connection = connection;
            this.dialect = dialect;
            this.statement = statement;
        }

        /** An array a column. */
        void rows(Table table, List<Table.Column> columns) throws SQLException {
            Collection<@Nullable Object[]> values = Writes.this.rows(table).values();
            for (Table.Column column : columns) {
                array(column.type(), cells(column, values, table.columns().indexOf(column)));
            }
        }

        void array(String type, @Nullable Object[] values) throws SQLException {
            statement.setArray(next++, dialect.array(connection, type, values));
        }

        void count(int count) throws SQLException {
            statement.setInt(next++, count);
        }
    }

    private Map<List<@Nullable Object>, @Nullable Object[]> rows(Table table) {
        return rows.computeIfAbsent(table, any -> new LinkedHashMap<>());
    }

    private static @Nullable Object[] cells(Table.Column column, Collection<@Nullable Object[]> rows, int index) {
        @Nullable Object[] cells = column.array(rows.size());
        int next = 0;
        for (@Nullable Object[] row : rows) {
            cells[next++] = row[index];
        }
        return cells;
    }
}
