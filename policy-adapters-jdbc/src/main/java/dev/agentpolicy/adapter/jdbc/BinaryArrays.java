package dev.agentpolicy.adapter.jdbc;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Arrays in the binary form of PostgreSQL. Its driver sends some types of them as text only, which costs it the writing and
 * the server the reading.
 */
enum BinaryArrays {
    UUIDS(Oid.UUID, Oid.UUID_ARRAY, 2 * Long.BYTES, (value, out) -> {
        UUID id = (UUID) value;
        out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
    }),
    INSTANTS(Oid.TIMESTAMPTZ, Oid.TIMESTAMPTZ_ARRAY, Long.BYTES, (value, out) -> {
        OffsetDateTime time = (OffsetDateTime) value;
        out.putLong((time.toEpochSecond() - Day.FIRST_SECOND) * 1_000_000 + time.getNano() / 1_000);
    }),
    DAYS(
            Oid.DATE,
            Oid.DATE_ARRAY,
            Integer.BYTES,
            (value, out) -> out.putInt((int) (((LocalDate) value).toEpochDay() - Day.FIRST.toEpochDay())));

    private static final Map<String, BinaryArrays> BY_TYPE =
            Map.of("uuid", UUIDS, "timestamptz", INSTANTS, "date", DAYS);
    private static final int HEADER_BYTES = 5 * Integer.BYTES;
    private static final int NULL = -1;

    private final int element;
    private final int array;
    private final int bytes;
    private final BiConsumer<Object, ByteBuffer> writer;

    BinaryArrays(int element, int array, int bytes, BiConsumer<Object, ByteBuffer> writer) {
        this.element = element;
        this.array = array;
        this.bytes = bytes;
        this.writer = writer;
    }

    /** The day PostgreSQL counts from. */
    private static final class Day {
        static final LocalDate FIRST = LocalDate.of(2000, 1, 1);
        static final long FIRST_SECOND = FIRST.toEpochDay() * 86_400;
    }

    /** An array of one dimension; whatever the driver sends as bytes itself is left to it. */
    static Array of(Connection connection, String type, @Nullable Object[] values) throws SQLException {
        BinaryArrays known = BY_TYPE.get(type);
        return known == null
                ? connection.createArrayOf(type, values)
                : new PgArray(connection.unwrap(BaseConnection.class), known.array, known.written(values));
    }

    private byte[] written(@Nullable Object[] values) {
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + values.length * (Integer.BYTES + bytes));
        out.putInt(1).putInt(0).putInt(element).putInt(values.length).putInt(1);
        boolean hasNull = false;
        for (Object value : values) {
            if (value == null) {
                hasNull = true;
                out.putInt(NULL);
            } else {
                writer.accept(value, out.putInt(bytes));
            }
        }
        out.putInt(Integer.BYTES, hasNull ? 1 : 0);
        byte[] written = new byte[out.position()];
        out.flip().get(written);
        return written;
    }
}
