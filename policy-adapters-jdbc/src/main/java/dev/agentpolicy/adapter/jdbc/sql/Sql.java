package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/** Plain prepared statements that handle many rows at once, most of them with arrays as parameters. */
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

    /**
     * Executes a statement once for each row of values; all rows are sent together. Nulls are sent with their type, since the
     * driver prepares a statement again when types change.
     */
    public static void updateEach(
            Connection connection, String sql, List<Table.Column> columns, Collection<@Nullable Object[]> rows)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (@Nullable Object[] row : rows) {
                for (int i = 0; i < row.length; i++) {
                    if (row[i] == null) {
                        statement.setNull(
                                i + 1, Types.NULL, nameInDriver(columns.get(i).type()));
                    } else {
                        statement.setObject(i + 1, row[i]);
                    }
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Some types have another name in the driver. */
    private static String nameInDriver(String type) {
        return switch (type) {
            case "bigint" -> "int8";
            case "integer" -> "int4";
            case "smallint" -> "int2";
            case "boolean" -> "bool";
            default -> type;
        };
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

        /** An array of the class that the driver of PostgreSQL sends as bytes, where it can. */
        public static <T> Parameter of(String type, Collection<T> of, Function<? super T, ?> value) {
            return new Parameter(type, of.stream().map(value).toArray(length -> Table.Column.array(type, length)));
        }

        public static <T> Parameter uuids(Collection<T> of, Function<T, Object> value) {
            return of("uuid", of, value);
        }

        public static <T> Parameter bigints(Collection<T> of, Function<T, Long> value) {
            return of("bigint", of, value);
        }

        public static <T> Parameter texts(Collection<T> of, Function<T, String> value) {
            return of("varchar", of, value);
        }
    }

    /**
     * Arrays in the binary format of PostgreSQL. The driver sends some types as text only, which costs time to write and to
     * parse.
     */
    enum BinaryArrays {
        UUIDS(Oid.UUID, Oid.UUID_ARRAY, value -> {
            UUID id = (UUID) value;
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        }),
        INSTANTS(Oid.TIMESTAMPTZ, Oid.TIMESTAMPTZ_ARRAY, value -> {
            OffsetDateTime time = (OffsetDateTime) value;
            long micros = (time.toEpochSecond() - PostgresEpoch.FIRST_SECOND) * 1_000_000 + time.getNano() / 1_000;
            return ByteBuffer.allocate(Long.BYTES).putLong(micros).array();
        }),
        DAYS(Oid.DATE, Oid.DATE_ARRAY, value -> {
            int day = (int) (((LocalDate) value).toEpochDay() - PostgresEpoch.FIRST.toEpochDay());
            return ByteBuffer.allocate(Integer.BYTES).putInt(day).array();
        }),
        TEXTS(Oid.VARCHAR, Oid.VARCHAR_ARRAY, value -> ((String) value).getBytes(StandardCharsets.UTF_8)),
        BYTES(Oid.BYTEA, Oid.BYTEA_ARRAY, value -> (byte[]) value);

        private static final Map<String, BinaryArrays> BY_TYPE =
                Map.of("uuid", UUIDS, "timestamptz", INSTANTS, "date", DAYS, "varchar", TEXTS, "bytea", BYTES);
        private static final int HEADER_BYTES = 5 * Integer.BYTES;
        private static final int NULL = -1;

        private final int element;
        private final int array;

        @SuppressWarnings("ImmutableEnumChecker") // The functions keep no state.
        private final Function<Object, byte[]> form;

        BinaryArrays(int element, int array, Function<Object, byte[]> form) {
            this.element = element;
            this.array = array;
            this.form = form;
        }

        /** The day PostgreSQL counts from. */
        private static final class PostgresEpoch {
            static final LocalDate FIRST = LocalDate.of(2000, 1, 1);
            static final long FIRST_SECOND = FIRST.toEpochDay() * 86_400;
        }

        /** An array of one dimension; other databases and other types are left to the driver. */
        static Array of(Connection connection, String type, @Nullable Object[] values) throws SQLException {
            BinaryArrays known = BY_TYPE.get(type);
            return known == null || !connection.isWrapperFor(BaseConnection.class)
                    ? connection.createArrayOf(type, values)
                    : new PgArray(connection.unwrap(BaseConnection.class), known.array, known.written(values));
        }

        private byte[] written(@Nullable Object[] values) {
            byte @Nullable [][] elements = new byte @Nullable [values.length][];
            int length = HEADER_BYTES;
            boolean hasNull = false;
            for (int i = 0; i < values.length; i++) {
                Object value = values[i];
                byte[] bytes = value == null ? null : form.apply(value);
                elements[i] = bytes;
                hasNull |= bytes == null;
                length += Integer.BYTES + (bytes == null ? 0 : bytes.length);
            }
            ByteBuffer out = ByteBuffer.allocate(length);
            out.putInt(1)
                    .putInt(hasNull ? 1 : 0)
                    .putInt(element)
                    .putInt(values.length)
                    .putInt(1);
            for (byte[] bytes : elements) {
                if (bytes == null) {
                    out.putInt(NULL);
                } else {
                    out.putInt(bytes.length).put(bytes);
                }
            }
            return out.array();
        }
    }
}
