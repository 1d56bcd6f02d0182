package dev.agentpolicy.adapter.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.sql.Timestamps;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplaySweepTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration DAY = Duration.ofHours(24);

    @TempDir
    Path folder;

    @Test
    void on_h2_only_expired_replays_are_deleted() throws Exception {
        deletesOnlyExpired(TestStores.h2(folder));
    }

    @Test
    void on_postgresql_only_expired_replays_are_deleted() throws Exception {
        deletesOnlyExpired(TestPostgres.freshDatabase());
    }

    private static void deletesOnlyExpired(String url) throws Exception {
        DatabaseConfig config = TestStores.config(url, InstantSource.fixed(NOW));
        try (JdbcStore store = JdbcStore.open(config);
                Connection connection = DriverManager.getConnection(url, config.user(), config.password())) {
            connection.setAutoCommit(false);
            for (int i = 0; i < 2_500; i++) {
                store(connection, "old-" + i, NOW.minus(DAY).minusSeconds(i));
            }
            connection.setAutoCommit(true);
            store(connection, "a microsecond left", NOW.minus(DAY).plusNanos(1_000));
            store(connection, "new", NOW);

            assertThat(store.removeOldReplays(NOW)).isEqualTo(2_500);

            assertThat(keys(connection)).containsExactly("a microsecond left", "new");
            assertThat(store.removeOldReplays(NOW)).isZero();
        }
    }

    private static void store(Connection connection, String key, Instant at) throws Exception {
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO idempotency(user_id, agent_key_id,"
                + " idempotency_key, request_id, asked_hash, created_at) VALUES (?, ?, ?, 1, 'x', ?)")) {
            row.setObject(1, new UUID(0, 1));
            row.setObject(2, new UUID(0, 2));
            row.setString(3, key);
            row.setObject(4, Timestamps.column(at));
            row.executeUpdate();
        }
    }

    private static List<String> keys(Connection connection) throws Exception {
        List<String> keys = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT idempotency_key FROM idempotency ORDER BY created_at")) {
            while (row.next()) {
                keys.add(row.getString(1));
            }
        }
        return keys;
    }
}
