package dev.agentpolicy.adapter.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.PaperBooks;
import dev.agentpolicy.domain.port.PaperBooksContract;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

class JdbcPaperBooksTest {

    /** The contract, on two nodes with one database. */
    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class TwoNodes implements PaperBooksContract {
        private JdbcStore one;
        private JdbcStore two;

        abstract String url();

        @BeforeAll
        void open() {
            String url = url();
            one = JdbcStore.open(TestStores.config(url, InstantSource.system()));
            two = JdbcStore.open(TestStores.config(url, InstantSource.system()));
        }

        @AfterAll
        void close() {
            one.close();
            two.close();
        }

        @Override
        public PaperBooks books() {
            return one.paperBooks();
        }

        @Override
        public PaperBooks otherNode() {
            return two.paperBooks();
        }
    }

    @Nested
    class OnH2 extends TwoNodes {
        @TempDir
        static Path folder;

        @Override
        String url() {
            return TestStores.h2(folder);
        }
    }

    @Nested
    class OnPostgres extends TwoNodes {
        private final String url = TestPostgres.freshDatabase();

        @Override
        String url() {
            return url;
        }

        @Test
        void a_book_that_stays_locked_is_unavailable() throws Exception {
            UserId user = new UserId(UUID.randomUUID());
            StoreSamples.replace(books(), user, "1");
            try (Connection holding = DriverManager.getConnection(url);
                    PreparedStatement lock =
                            holding.prepareStatement("SELECT 1 FROM paper_book WHERE user_id = ? FOR UPDATE")) {
                holding.setAutoCommit(false);
                lock.setObject(1, user.value());
                assertThat(lock.executeQuery().next()).isTrue();

                assertThatThrownBy(() -> StoreSamples.replace(books(), user, "1"))
                        .isInstanceOf(Unavailable.class);
                holding.rollback();
            }
            assertThat(StoreSamples.replace(books(), user, "1")).isEqualTo(2);
        }
    }
}
