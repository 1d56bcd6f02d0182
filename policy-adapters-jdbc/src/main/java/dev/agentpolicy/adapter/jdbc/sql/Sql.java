package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plain prepared statements whose parameters are arrays, for statements that handle many rows at once. */
public final class Sql {

    private Sql() {}

    /** Reads every row of a query. */
    public static void each(Connection connection, String sql, RowHandler handler, Parameter... arrays)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, List.of(arrays));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    handler.handle(row);
                }
            }
        }
    }

    /** Reads the rows of queries in their order, in one round trip where the database takes several statements. */
    public static void all(Connection connection, Dialect dialect, List<SqlQuery> queries) throws SQLException {
        if (!dialect.takesManyAtOnce()) {
            for (SqlQuery query : queries) {
                each(connection, query.sql, query.handler, query.arrays);
            }
            return;
        }
        String statements = queries.stream().map(SqlQuery::sql).collect(Collectors.joining(";"));
        try (PreparedStatement statement = connection.prepareStatement(statements)) {
            bind(
                    connection,
                    statement,
                    queries.stream().flatMap(query -> Stream.of(query.arrays)).toList());
            statement.execute();
            for (SqlQuery query : queries) {
                try (ResultSet row = statement.getResultSet()) {
                    while (row.next()) {
                        query.handler.handle(row);
                    }
                }
                statement.getMoreResults();
            }
        }
    }

    /**
     * The query for the rows {@code t} of a table whose columns have given values. The first values of all arrays belong
     * together, and so on; the table needs an index of these columns, of which the first is the user.
     */
    public static SqlQuery matching(Dialect dialect, String table, RowHandler handler, Match... columns) {
        String arrays = Stream.of(columns)
                .map(column -> "CAST(? AS " + column.values.type + " ARRAY)")
                .collect(Collectors.joining(", "));
        String names = Stream.of(columns).map(Match::column).collect(Collectors.joining(", "));
        String conditions = Stream.of(columns)
                .map(column -> "t." + column.column + " = n." + column.column)
                .collect(Collectors.joining(" AND "));
        return new SqlQuery(
                "SELECT t.* FROM unnest(" + arrays + ") AS n(" + names + ") JOIN " + table + " t ON " + conditions
                        + dialect.ofUsers("t"),
                handler,
                withUsers(dialect, Stream.of(columns).map(Match::values).toArray(Parameter[]::new)));
    }

    /** The parameters of a statement with a condition of {@link Dialect#ofUsers}; the users are the first of them. */
    public static Parameter[] withUsers(Dialect dialect, Parameter... arrays) {
        return dialect.isDistributed()
                ? Stream.concat(Stream.of(arrays), Stream.of(arrays[0])).toArray(Parameter[]::new)
                : arrays;
    }

    /** Executes a statement without result rows; returns how many rows it changed, the first one if there are several. */
    public static int update(Connection connection, String sql, List<Parameter> arrays) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, arrays);
            return statement.executeUpdate();
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, List<Parameter> arrays)
            throws SQLException {
        for (int i = 0; i < arrays.size(); i++) {
            Parameter array = arrays.get(i);
            statement.setArray(i + 1, BinaryArrays.of(connection, array.type, array.values));
        }
    }

    /** Takes one row. */
    public interface RowHandler {
        void handle(ResultSet row) throws SQLException;
    }

    /** A query whose parameters are arrays, and what takes its rows. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record SqlQuery(String sql, RowHandler handler, Parameter... arrays) {

        /** The same query with a condition more. */
        public SqlQuery where(String condition) {
            return new SqlQuery(sql + " AND " + condition, handler, arrays);
        }
    }

    /** The values of one column. */
    public record Match(String column, Parameter values) {}

    /** An array of one type. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    public record Parameter(String type, @Nullable Object[] values) {

        public static <T> Parameter uuids(Collection<T> of, Function<T, Object> value) {
            return new Parameter("uuid", of.stream().map(value).toArray());
        }

        public static <T> Parameter bigints(Collection<T> of, Function<T, Long> value) {
            return new Parameter("bigint", of.stream().map(value).toArray(Long[]::new));
        }

        public static <T> Parameter dates(Collection<T> of, Function<T, Object> value) {
            return new Parameter("date", of.stream().map(value).toArray());
        }

        public static <T> Parameter texts(Collection<T> of, Function<T, String> value) {
            return new Parameter("varchar", of.stream().map(value).toArray(String[]::new));
        }
    }
}
