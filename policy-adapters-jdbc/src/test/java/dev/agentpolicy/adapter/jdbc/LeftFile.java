package dev.agentpolicy.adapter.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An H2 file as somebody left it, and what is wrong in it. */
record LeftFile(Connection connection) implements AutoCloseable {
    private static final String INDEXES =
            "SELECT i.table_name, i.index_name, listagg('\"' || c.column_name || '\"', ', ') WITHIN GROUP (ORDER BY c.ordinal_position)"
                    + " FROM information_schema.indexes i JOIN information_schema.index_columns c"
                    + " ON c.index_name = i.index_name AND c.table_name = i.table_name"
                    + " WHERE i.table_schema = 'PUBLIC' GROUP BY i.table_name, i.index_name";

    static LeftFile open(String url) throws SQLException {
        return new LeftFile(DriverManager.getConnection(url + ";WRITE_DELAY=0;MAX_COMPACT_TIME=0", "sa", ""));
    }

    /** Indexes that do not hold exactly what is in their tables. */
    List<String> wrongIndexes() throws SQLException {
        List<String> wrong = new ArrayList<>();
        for (List<String> index : rows(INDEXES)) {
            String columns = index.get(2);
            String query = "SELECT " + columns + " FROM \"" + index.get(0) + "\" USE INDEX (%s) ORDER BY " + columns;
            String throughIndex = query.formatted("\"" + index.get(1) + "\"");
            String plan = rows("EXPLAIN " + throughIndex).toString();
            if (!plan.contains(index.get(1))) {
                throw new IllegalStateException("The index is not used: " + plan);
            }
            compare(index.get(1), rows(throughIndex), rows(query.formatted("")), wrong);
        }
        return wrong;
    }

    private static void compare(
            String index, List<List<String>> inIndex, List<List<String>> inTable, List<String> wrong) {
        if (!inIndex.equals(inTable)) {
            List<List<String>> ghosts = new ArrayList<>(inIndex);
            ghosts.removeAll(inTable);
            List<List<String>> lost = new ArrayList<>(inTable);
            lost.removeAll(inIndex);
            wrong.add(index + " has " + ghosts + " and lacks " + lost);
        }
    }

    /** Requests that cannot be found, or are not what somebody was told. */
    List<Acknowledged> missing(List<Acknowledged> all) throws SQLException {
        List<Acknowledged> missing = new ArrayList<>();
        try (PreparedStatement query =
                connection.prepareStatement("SELECT accepted_at FROM service_request WHERE user_id = ? AND id = ?")) {
            for (Acknowledged told : all) {
                query.setObject(1, told.user().value());
                query.setLong(2, told.request());
                try (ResultSet row = query.executeQuery()) {
                    if (!row.next() || told.isAccepted() && row.getObject(1) == null) {
                        missing.add(told);
                    }
                }
            }
        }
        return missing;
    }

    private List<List<String>> rows(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<List<String>> rows = new ArrayList<>();
            while (row.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    values.add(String.valueOf(row.getString(i)));
                }
                rows.add(values);
            }
            return rows;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
