package dev.agentpolicy.adapter.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.signing.MasterKeyRewrap.Rewrapped;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.port.CustodianCredentials;
import dev.agentpolicy.domain.port.CustodianCredentialsContract;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.port.SyncSchedule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TinkCustodianCredentialsTest {

    abstract static class OnDatabase implements CustodianCredentialsContract {
        private static final InstantSource CLOCK = InstantSource.fixed(StoreSamples.START);

        @TempDir
        Path folder;

        private String url;
        private Path file;
        private JdbcStore store;
        private CustodianCredentials credentials;

        abstract String freshUrl();

        @BeforeEach
        void open() {
            url = freshUrl();
            file = folder.resolve("master-key.json");
            store = JdbcStore.open(TestStores.config(url, CLOCK));
            credentials = node(file);
        }

        @AfterEach
        void close() {
            store.close();
        }

        @Override
        public CustodianCredentials credentials() {
            return credentials;
        }

        @Override
        public SyncSchedule schedule() {
            return store.syncSchedule();
        }

        @Test
        void a_database_holds_nothing_of_credentials_in_clear() {
            UserId user = StoreSamples.user();
            credentials.store(user, "broker", 1, FIRST);

            assertThat(store.sealedCredentials().all())
                    .singleElement()
                    .satisfies(stored -> assertThat(new String(stored.ciphertext(), StandardCharsets.ISO_8859_1))
                            .doesNotContain("PK123", "secret", "paper"));
            assertThat(FIRST.toString()).doesNotContain("PK123", "secret");
        }

        @Test
        void credentials_of_another_user_or_custodian_do_not_open() throws SQLException {
            UserId user = StoreSamples.user();
            UserId thief = StoreSamples.user();
            credentials.store(user, "broker", 1, FIRST);
            credentials.store(user, "other", 1, FIRST);
            credentials.store(thief, "broker", 1, SECOND);

            execute(
                    "UPDATE custodian SET credentials = (SELECT c.credentials FROM custodian c WHERE c.user_id = ?"
                            + " AND c.custodian_id = 'broker') WHERE user_id = ? OR custodian_id = 'other'",
                    user,
                    thief);

            assertThat(found(user, "broker")).contains(FIRST);
            assertDoesNotOpen(credentials, thief, "broker");
            assertDoesNotOpen(credentials, user, "other");
        }

        @Test
        void another_master_key_does_not_open_credentials() throws IOException {
            UserId user = StoreSamples.user();
            Path copyOfOld = folder.resolve("old.json");
            Files.copy(file, copyOfOld, StandardCopyOption.COPY_ATTRIBUTES);
            CustodianCredentials oldNode = node(copyOfOld);
            credentials.store(user, "broker", 1, FIRST);

            assertThat(MasterKeyRewrap.run(file, store.sealedKeys(), store.sealedCredentials()))
                    .isEqualTo(new Rewrapped(3, 1));

            assertThat(found(user, "broker")).contains(FIRST);
            assertThat(node(file).find(user, "broker")).contains(FIRST);
            assertDoesNotOpen(oldNode, user, "broker");
        }

        /** They would be lost with the old key. */
        @Test
        void a_node_with_the_old_master_key_stores_no_credentials_until_it_has_the_new_file() throws IOException {
            UserId user = StoreSamples.user();
            Path copyOfOld = folder.resolve("old.json");
            Files.copy(file, copyOfOld, StandardCopyOption.COPY_ATTRIBUTES);
            CustodianCredentials oldNode = node(copyOfOld);
            MasterKeyRewrap.run(file, store.sealedKeys(), store.sealedCredentials());

            assertThatThrownBy(() -> oldNode.store(user, "broker", 1, FIRST))
                    .isInstanceOf(Unavailable.class)
                    .hasMessageNotContainingAny("PK123", "secret");
            assertThat(found(user, "broker")).isEmpty();

            Files.copy(file, copyOfOld, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            oldNode.store(user, "broker", 1, FIRST);
            assertThat(found(user, "broker")).contains(FIRST);
        }

        @Test
        void a_node_that_has_not_noticed_the_new_master_key_stores_with_it() {
            UserId user = StoreSamples.user();
            CustodianCredentials other = node(file);
            MasterKeyRewrap.run(file, store.sealedKeys(), store.sealedCredentials());

            other.store(user, "broker", 1, FIRST);

            assertThat(node(file).find(user, "broker")).contains(FIRST);
        }

        private CustodianCredentials node(Path masterKeyFile) {
            return KeyRing.open(masterKeyFile, store.sealedKeys(), CLOCK)
                    .custodianCredentials(store.sealedCredentials());
        }

        private Optional<BrokerCredentials> found(UserId user, String custodian) {
            return credentials.find(user, custodian);
        }

        private static void assertDoesNotOpen(CustodianCredentials node, UserId user, String custodian) {
            assertThatExceptionOfType(UnusableKeys.class)
                    .isThrownBy(() -> node.find(user, custodian))
                    .withMessageContaining("does not open the credentials");
        }

        private void execute(String sql, UserId... users) throws SQLException {
            DatabaseConfig config = TestStores.config(url, CLOCK);
            try (Connection connection =
                            DriverManager.getConnection(Dialect.of(url).url(url), config.user(), config.password());
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < users.length; i++) {
                    statement.setObject(i + 1, users[i].value());
                }
                statement.executeUpdate();
            }
        }
    }

    @Nested
    class OnH2 extends OnDatabase {
        @Override
        String freshUrl() {
            return TestStores.h2(folder);
        }
    }

    @Nested
    class OnPostgres extends OnDatabase {
        @Override
        String freshUrl() {
            return TestPostgres.freshDatabase();
        }
    }
}
