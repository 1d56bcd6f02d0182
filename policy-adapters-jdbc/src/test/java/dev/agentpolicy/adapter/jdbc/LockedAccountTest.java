package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.connect.Pools.ConnectionSource;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.Ports;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An account that somebody has locked and does not let go of is in the way of nobody but its user, and not for ever. */
class LockedAccountTest {
    private final String url = TestPostgres.freshDatabaseOfOneLane();
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final AtomicReference<ConnectionSource> lanes = new AtomicReference<>();
    private final JdbcStore store = JdbcStore.open(TestStores.config(url, clock).withLanes(1, 1000));
    private final JdbcStore gone = JdbcStore.open(TestStores.config(url, clock).withLanes(1, 10), connections -> {
        lanes.set(connections);
        return connections;
    });
    private final Ports ports = TestStores.ports(store, new JdkSigner());
    private final UserId locked = StoreSamples.user();
    private final List<UserId> others = List.of(StoreSamples.user(), StoreSamples.user(), StoreSamples.user());
    private final AgentKey key = StoreSamples.key(locked);

    @BeforeEach
    void make_the_accounts() {
        count(locked).join();
        others.forEach(user -> count(user).join());
    }

    @AfterEach
    void close() {
        store.close();
        gone.close();
    }

    @Test
    void the_others_of_its_batch_are_recorded() throws SQLException {
        try (Connection holder = DriverManager.getConnection(url)) {
            lock(holder);
            CountDownLatch release = new CountDownLatch(1);
            keepBusy(others.get(0), release);
            CompletableFuture<Long> waits = count(locked);
            List<CompletableFuture<Long>> sound = new ArrayList<>();
            others.forEach(user -> sound.add(count(user)));
            release.countDown();

            assertThat(sound).allSatisfy(it -> assertThat(it).succeedsWithin(Duration.ofSeconds(20)));
            assertThatThrownBy(waits::join).hasCauseInstanceOf(Unavailable.class);
        }
    }

    @Test
    void a_node_that_fell_silent_loses_its_locks() throws SQLException {
        TestStores.ports(gone, new JdkSigner());
        Connection silent = lanes.get().getConnection();
        lock(silent);
        long begun = System.nanoTime();
        while (count(locked).handle((seq, failed) -> failed != null).join()
                && System.nanoTime() - begun < Duration.ofSeconds(20).toNanos()) {
            Thread.onSpinWait();
        }

        assertThat(count(locked)).succeedsWithin(Duration.ofSeconds(5));
        assertThatThrownBy(silent::commit).isInstanceOf(SQLException.class);
    }

    /** Keeps the lane busy until what comes meanwhile is a batch. */
    private void keepBusy(UserId user, CountDownLatch until) {
        ports.accounts().change(user, StoreSamples.change(account -> {
            OnLanes.await(until);
            return Outcome.nothing(true);
        }));
    }

    /** A decision that names no key, and so is never made from memory. */
    private CompletableFuture<Long> count(UserId user) {
        return ports.accounts()
                .change(
                        user,
                        StoreSamples.change(account -> new Outcome.Recording()
                                .event(StoreSamples.decided(key.id(), true, account.now()))
                                .answer(receipts -> receipts.get(0).seq())))
                .toCompletableFuture();
    }

    @Test
    void a_read_that_waits_too_long_for_a_lock_is_unavailable() throws SQLException {
        try (Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE account IN ACCESS EXCLUSIVE MODE");

            assertThatThrownBy(() -> ports.eventLog().version(locked)).isInstanceOf(Unavailable.class);
        }
    }

    private void lock(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT * FROM account WHERE user_id = '" + locked.value() + "' FOR UPDATE");
        }
    }
}
