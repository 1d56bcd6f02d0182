package dev.agentpolicy.adapter.jdbc.sql;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

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
