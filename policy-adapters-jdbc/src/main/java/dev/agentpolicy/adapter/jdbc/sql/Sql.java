package dev.agentpolicy.adapter.jdbc.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plain prepared statements on the connection of a lane, where every microsecond is many decisions. */
public final class Sql {

    private Sql() {}

    /**
     * An array parameter to take apart. PostgreSQL looks at how long one is before it plans, unless it comes out of a query,
     * and would plan short lists anew each time, which takes it longer than to answer.
     */
    public static String given(String type) {
        return "(SELECT CAST(? AS " + type + " ARRAY))";
    }

    /** Reads every row of a query whose parameters are arrays. */
    public static void each(Connection connection, String sql, RowReader reader, Parameter... arrays)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, arrays);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }

    /** Reads the rows of queries one after the other, in one round trip where the database takes them together. */
    public static void all(Connection connection, Dialect dialect, List<Query> queries) throws SQLException {
        if (!dialect.takesManyAtOnce()) {
            for (Query query : queries) {
                each(connection, query.sql, query.reader, query.arrays);
            }
            return;
        }
        String together = queries.stream().map(Query::sql).collect(Collectors.joining(";"));
        Parameter[] arrays =
                queries.stream().flatMap(query -> Stream.of(query.arrays)).toArray(Parameter[]::new);
        try (PreparedStatement statement = connection.prepareStatement(together)) {
            bind(connection, statement, arrays);
            statement.execute();
            for (Query query : queries) {
                try (ResultSet row = statement.getResultSet()) {
                    while (row.next()) {
                        query.reader.read(row);
                    }
                }
                statement.getMoreResults();
            }
        }
    }

    public static void update(Connection connection, String sql, Parameter... arrays) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, arrays);
            statement.executeUpdate();
        }
    }

    private static void bind(Connection connection, PreparedStatement statement, Parameter... arrays)
            throws SQLException {
        for (int i = 0; i < arrays.length; i++) {
            statement.setArray(i + 1, connection.createArrayOf(arrays[i].type, arrays[i].values));
        }
    }

    /** What is done with one row. */
    public interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** A query whose parameters are arrays, and what is done with its rows. */
    public record Query(String sql, RowReader reader, Parameter... arrays) {}

    /** An array of one type. */
    public record Parameter(String type, Object[] values) {

        public static <T> Parameter uuids(Collection<T> of, Function<T, Object> value) {
            return new Parameter("uuid", of.stream().map(value).toArray());
        }

        public static <T> Parameter bigints(Collection<T> of, Function<T, Object> value) {
            return new Parameter("bigint", of.stream().map(value).toArray());
        }

        public static <T> Parameter dates(Collection<T> of, Function<T, Object> value) {
            return new Parameter("date", of.stream().map(value).toArray());
        }

        public static <T> Parameter texts(Collection<T> of, Function<T, Object> value) {
            return new Parameter("varchar", of.stream().map(value).toArray());
        }
    }
}
