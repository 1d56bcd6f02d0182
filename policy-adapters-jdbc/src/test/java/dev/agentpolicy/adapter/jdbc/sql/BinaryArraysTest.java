package dev.agentpolicy.adapter.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.sql.Sql.BinaryArrays;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What arrives at PostgreSQL in its binary form is what arrives when its driver writes it as text. */
class BinaryArraysTest {
    private static final String URL = TestPostgres.freshDatabase();

    static Stream<Arguments> arrays() {
        return Stream.of(
                Arguments.of(
                        "uuid", new Object[] {UUID.randomUUID(), null, new UUID(0, 0), new UUID(-1, Long.MIN_VALUE)}),
                Arguments.of("uuid", new Object[] {null}),
                Arguments.of("uuid", new Object[] {}),
                Arguments.of("timestamptz", new Object[] {
                    OffsetDateTime.parse("2026-11-22T09:32:47.006591Z"),
                    OffsetDateTime.parse("2000-01-01T00:00:00Z"),
                    null,
                    OffsetDateTime.parse("1999-12-31T23:59:59.999999Z"),
                    OffsetDateTime.parse("1969-12-31T23:59:59.000001Z"),
                    OffsetDateTime.parse("2026-11-22T23:30:00.5-05:00"),
                    OffsetDateTime.parse("9999-12-31T23:59:59.999999Z")
                }),
                Arguments.of("date", new Object[] {
                    LocalDate.of(2026, 11, 22),
                    LocalDate.of(2000, 1, 1),
                    null,
                    LocalDate.of(1999, 12, 31),
                    LocalDate.EPOCH
                }),
                Arguments.of("varchar", new Object[] {"a", null, "{\"b\", \\}"}),
                Arguments.of("bytea", (Object) new byte[][] {{0, -1, 127, '\\'}, null, {}}));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void an_array_arrives_as_its_text_would(String type, @Nullable Object[] values) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL)) {
            List<String> binary = texts(connection, type, BinaryArrays.of(connection, type, values));

            assertThat(binary).hasSize(values.length);
            assertThat(binary).isEqualTo(texts(connection, type, connection.createArrayOf(type, values)));
        }
    }

    private static List<String> texts(Connection connection, String type, Array array) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement query =
                connection.prepareStatement("SELECT CAST(unnest(CAST(? AS " + type + " ARRAY)) AS text)")) {
            query.setArray(1, array);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    texts.add(String.valueOf(row.getString(1)));
                }
            }
        }
        return texts;
    }
}
