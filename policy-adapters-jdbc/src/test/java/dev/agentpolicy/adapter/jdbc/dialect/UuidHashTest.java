package dev.agentpolicy.adapter.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.dialect.CitusDialect.UuidHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidHashTest {
    private static final long SEED = 7;
    private static final int RANDOM = 5_000;

    @Test
    void the_hash_is_that_of_postgresql() throws SQLException {
        Random random = new Random(SEED);
        List<UUID> ids = Stream.concat(
                        Stream.of(new UUID(0, 0), new UUID(-1, -1), new UUID(Long.MIN_VALUE, 1), new UUID(1, -2)),
                        Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()))
                                .limit(RANDOM))
                .toList();
        List<Integer> expected = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(TestPostgres.freshDatabase());
                PreparedStatement query = connection.prepareStatement(
                        "SELECT uuid_hash(id) FROM unnest(?) WITH ORDINALITY AS t(id, n) ORDER BY n")) {
            query.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    expected.add(row.getInt(1));
                }
            }
        }

        assertThat(ids.stream().map(UuidHash::of)).as("seed %d", SEED).containsExactlyElementsOf(expected);
    }
}
