package dev.agentpolicy.adapter.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What databases make of changes of who may come in, beside the contracts. */
class JdbcUsersTest {
    private static final Instant NOW = StoreSamples.START;
    private static final User ANNA = new User(StoreSamples.user(), "anna@example.org", "old", NOW);

    @TempDir
    Path folder;

    private Stream<String> databases() {
        return Stream.of(TestStores.h2(folder), TestPostgres.freshDatabase());
    }

    /** Another table refers to the session that is to end, so the statement in the middle fails. */
    @Test
    void a_change_whose_statement_in_the_middle_fails_changes_nothing() throws Exception {
        for (String url : databases().toList()) {
            try (JdbcStore store = JdbcStore.open(TestStores.config(url, InstantSource.fixed(NOW)));
                    Connection connection = connection(url)) {
                String hash = StoreSamples.hash();
                store.users().add(ANNA);
                store.sessions().open(hash, StoreSamples.session(ANNA.id(), NOW, NOW.plusSeconds(60)));
                store.devices().remember(hash, ANNA.id(), NOW, 10);
                MailToken reset = new MailToken(ANNA.id(), Purpose.PASSWORD_RESET, ANNA.email(), NOW.plusSeconds(60));
                MailToken address =
                        new MailToken(ANNA.id(), Purpose.EMAIL_CONFIRMATION, "next@example.org", NOW.plusSeconds(60));
                String other = StoreSamples.hash();
                store.mailTokens().store(hash, reset);
                store.mailTokens().store(other, address);
                execute(connection, "CREATE TABLE holder (hash varchar(128) REFERENCES app_session(token_hash))");
                execute(connection, "INSERT INTO holder VALUES ('" + hash + "')");

                assertThatThrownBy(() -> store.users().changePassword(ANNA.id(), "new", null, null))
                        .hasMessageContaining("refused");
                assertThatThrownBy(() -> store.users().resetPassword(hash, NOW, "new"))
                        .hasMessageContaining("refused");
                assertThatThrownBy(() -> store.users().confirmEmail(other, NOW, null))
                        .hasMessageContaining("refused");
                assertThatThrownBy(() -> store.users().setEmail(ANNA.id(), "next@example.org", true, NOW, null))
                        .hasMessageContaining("refused");

                assertThat(store.users().byId(ANNA.id())).contains(ANNA);
                assertThat(store.sessions().find(hash)).isPresent();
                assertThat(store.devices().find(hash, NOW.minusSeconds(1))).isPresent();
                assertThat(store.mailTokens().find(hash, Purpose.PASSWORD_RESET, NOW))
                        .contains(reset);
                assertThat(store.mailTokens().find(other, Purpose.EMAIL_CONFIRMATION, NOW))
                        .contains(address);
            }
        }
    }

    @Test
    void old_sessions_and_erasures_by_a_key_are_found_by_an_index() throws Exception {
        for (String url : databases().toList()) {
            try (JdbcStore store = JdbcStore.open(TestStores.config(url, InstantSource.fixed(NOW)));
                    Connection connection = connection(url)) {
                assertThat(store.isReady()).isTrue();
                if (!url.startsWith("jdbc:h2")) {
                    execute(connection, "SET enable_seqscan = off");
                }
                assertThat(plan(connection, "DELETE FROM app_session WHERE last_used_at <= CURRENT_TIMESTAMP"))
                        .contains("app_session_last_used");
                assertThat(plan(connection, "DELETE FROM app_session WHERE expires_at <= CURRENT_TIMESTAMP"))
                        .contains("app_session_expiry");
                assertThat(plan(connection, "SELECT reason FROM erasure WHERE signing_key_id = 'x'"))
                        .contains("erasure_signing_key");
            }
        }
    }

    private static Connection connection(String url) throws Exception {
        DatabaseConfig config = TestStores.config(url, InstantSource.system());
        return DriverManager.getConnection(url, config.user(), config.password());
    }

    private static String plan(Connection connection, String sql) throws Exception {
        List<String> lines = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("EXPLAIN " + sql)) {
            while (row.next()) {
                lines.add(row.getString(1));
            }
        }
        return String.join("\n", lines).toLowerCase(Locale.ROOT);
    }

    private static void execute(Connection connection, String sql) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
