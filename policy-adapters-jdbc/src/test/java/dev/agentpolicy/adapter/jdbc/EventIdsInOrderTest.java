package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.sql.Connections;
import dev.agentpolicy.adapter.jdbc.sql.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.sql.Dialect;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database from before ids of events were indexed in their order keeps its rows, and each id stays unique. */
class EventIdsInOrderTest {
    private static final String LAST_BEFORE = "23";
    private static final UUID USER = UUID.randomUUID();
    private static final UUID EVENT = UUID.randomUUID();

    @TempDir
    Path folder;

    @Test
    void h2_is_brought_up_to_date() throws SQLException {
        upgraded(TestStores.h2(folder));
    }

    @Test
    void postgresql_is_brought_up_to_date() throws SQLException {
        upgraded(TestPostgres.freshDatabase());
    }

    private static void upgraded(String url) throws SQLException {
        DatabaseConfig config = TestStores.config(url, new SettableClock(StoreSamples.START));
        Dialect dialect = Dialect.of(url);
        try (Connection connection = DriverManager.getConnection(dialect.url(url), config.user(), config.password())) {
            Connections.flyway(dialect, dialect.url(url), config)
                    .target(LAST_BEFORE)
                    .load()
                    .migrate();
            insert(connection, 1);
        }

        JdbcStore.open(config).close();

        try (Connection connection = DriverManager.getConnection(dialect.url(url), config.user(), config.password())) {
            assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(SQLException.class);
            assertThat(TestStores.number(connection, "SELECT count(*) FROM policy_event"))
                    .isEqualTo(1);
            assertThat(TestStores.number(
                            connection,
                            "SELECT count(*) FROM information_schema.table_constraints"
                                    + " WHERE lower(table_name) = 'policy_event' AND constraint_type = 'UNIQUE'"))
                    .isEqualTo(1);
        }
    }

    private static void insert(Connection connection, int seq) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "INSERT INTO policy_event(user_id, seq, event_id, event_type, created_at, signing_key_id,"
                            + " prev_hash, hash, signature, payload_hash) VALUES ('" + USER + "', " + seq + ", '"
                            + EVENT
                            + "', 'guardrail.decision', TIMESTAMP WITH TIME ZONE '2026-01-01 00:00:00+00', 'k', 'p', 'h', 's', 'd')");
        }
    }
}
