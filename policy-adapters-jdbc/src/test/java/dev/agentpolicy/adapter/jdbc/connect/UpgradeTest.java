package dev.agentpolicy.adapter.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a database that an earlier version has made. */
class UpgradeTest {
    private static final UserId ANNA = new UserId(UUID.randomUUID());

    @Test
    void an_address_from_before_the_upgrade_counts_as_confirmed_on_h2(@TempDir Path folder) throws SQLException {
        requireConfirmed("jdbc:h2:file:" + folder.resolve("policy"));
    }

    @Test
    void an_address_from_before_the_upgrade_counts_as_confirmed_on_postgresql() throws SQLException {
        requireConfirmed(TestPostgres.emptyDatabase());
    }

    private static void requireConfirmed(String url) throws SQLException {
        DatabaseConfig config = TestStores.config(url, new SettableClock(StoreSamples.START));
        Dialect dialect = Dialect.of(url);
        Connections.flyway(dialect, dialect.url(url), config).target("1").load().migrate();
        try (Connection connection = Connections.once(config);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO app_user(user_id, email, password_hash, created_at) VALUES ('" + ANNA
                    + "', 'anna@example.org', 'hash', timestamp with time zone '2026-01-01 00:00:00+00')");
        }

        try (JdbcStore store = JdbcStore.open(config)) {
            User later = new User(new UserId(UUID.randomUUID()), "otto@example.org", "hash", StoreSamples.START);
            store.users().add(later);

            Optional<User> anna = store.users().byEmail("anna@example.org");
            assertThat(anna.map(User::id)).contains(ANNA);
            assertThat(anna.map(User::isEmailConfirmed)).contains(true);
            assertThat(store.users().byId(later.id()).map(User::isEmailConfirmed))
                    .contains(false);
        }
    }
}
