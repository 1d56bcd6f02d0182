package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.adapter.jdbc.connect.Transactions;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.adapter.jdbc.store.JdbcUsers;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLogContract;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a sign-up makes of an INSERT whose answer never came, on a real PostgreSQL. */
class LostSignUpTest {
    private final FaultyWire wire = new FaultyWire();
    private JdbcStore store;
    private JdbcUsers users;

    @BeforeEach
    void open() {
        String url = TestPostgres.freshDatabase();
        store = JdbcStore.open(TestStores.config(url, InstantSource.fixed(CallLogContract.NOON)));
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(url);
        ConnectionSource faulty = wire.apply(database::getConnection);
        Dialect dialect = new PostgresDialect();
        users = new JdbcUsers(
                new Reads(faulty, dialect, Optional::empty), new Transactions(faulty, dialect, Optional::empty));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_user_added_before_the_answer_was_lost_is_added_once() {
        User anna = user("anna@example.org");
        wire.loseAnswerOfNextCommit();

        assertThat(users.add(anna)).isTrue();
        assertThat(store.users().byEmail("anna@example.org")).contains(anna);
    }

    @Test
    void a_user_whose_commit_was_lost_is_added_by_the_retry() {
        User anna = user("anna@example.org");
        wire.loseNextCommit();

        assertThat(users.add(anna)).isTrue();
        assertThat(store.users().byEmail("anna@example.org")).contains(anna);
    }

    @Test
    void the_address_of_another_user_is_not_taken_over() {
        User anna = user("anna@example.org");
        users.add(anna);
        wire.loseAnswerOfNextCommit();

        assertThat(users.add(user("anna@example.org"))).isFalse();
        assertThat(store.users().byEmail("anna@example.org")).contains(anna);
    }

    @Test
    void no_user_is_added_without_a_connection() {
        wire.refuseConnections(1);

        assertThatThrownBy(() -> users.add(user("anna@example.org"))).isInstanceOf(Unavailable.class);
        assertThat(store.users().byEmail("anna@example.org")).isEmpty();
    }

    private static User user(String email) {
        return new User(new UserId(UUID.randomUUID()), email, "hash", CallLogContract.NOON);
    }
}
