package dev.agentpolicy.adapter.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.adapter.jdbc.connect.SqlFailed;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On H2 nobody changes anything while somebody else does. */
class WriteLockTest {
    private static final long LONG_ENOUGH_MILLIS = 300;

    @TempDir
    Path folder;

    @Test
    void a_file_is_the_same_however_its_url_names_it() {
        Path file = folder.resolve("policy").toAbsolutePath();

        assertThat(Dialect.of("jdbc:h2:" + file).writeLock())
                .isSameAs(
                        Dialect.of("jdbc:h2:file:" + file + ";CACHE_SIZE=1024").writeLock())
                .isSameAs(Dialect.of("jdbc:h2:file:" + folder.resolve("other/../policy"))
                        .writeLock())
                .isNotSameAs(Dialect.of("jdbc:h2:" + file + "2").writeLock());
    }

    @Test
    void writers_on_h2_wait_for_each_other() throws Exception {
        String url = TestStores.h2(folder);
        try (JdbcStore one = open(url);
                JdbcStore other = open(url)) {
            UserId user = StoreSamples.user();
            Accounts accounts = TestStores.accounts(one, new JdkSigner(), head -> {});
            List<Supplier<Object>> changes = List.of(
                    () -> accounts.change(
                                    user,
                                    StoreSamples.change(account -> new Recording()
                                            .event(StoreSamples.decided(
                                                    StoreSamples.key(user).id(), true, account.now()))
                                            .answer(receipts -> receipts)))
                            .toCompletableFuture()
                            .join(),
                    () -> StoreSamples.replace(one.paperBooks(), user, "1"),
                    () -> {
                        one.sessions()
                                .open(StoreSamples.hash(), StoreSamples.session(user, Instant.now(), Instant.now()));
                        return user;
                    },
                    () -> other.sessions().removeEnded(Instant.now(), Instant.EPOCH));

            CountDownLatch entered = new CountDownLatch(1);
            CountDownLatch gate = new CountDownLatch(1);
            CompletableFuture<?> first = CompletableFuture.runAsync(() -> hold(url, entered, gate));
            entered.await();
            List<CompletableFuture<Object>> after =
                    changes.stream().map(CompletableFuture::supplyAsync).toList();
            TimeUnit.MILLISECONDS.sleep(LONG_ENOUGH_MILLIS);
            assertThat(after).noneMatch(CompletableFuture::isDone);
            assertThat(one.users().byId(user)).as("readers go on").isEmpty();

            gate.countDown();
            Stream.concat(Stream.of(first), after.stream()).forEach(CompletableFuture::join);
        }
    }

    @Test
    void a_failed_write_is_rolled_back_and_releases_the_lock() throws SQLException {
        WriteLock turns = WriteLock.exclusive("jdbc:h2:mem:turns");
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:turns")) {
            connection.createStatement().execute("CREATE TABLE t(a integer)");
            connection.setAutoCommit(false);

            assertThatThrownBy(() -> turns.during(connection, inside -> {
                        inside.createStatement().execute("INSERT INTO t VALUES (1)");
                        throw new SQLException("No.");
                    }))
                    .hasMessage("No.");
            boolean isEmpty = CompletableFuture.supplyAsync(() -> isEmpty(turns, connection))
                    .orTimeout(10, TimeUnit.SECONDS)
                    .join();
            assertThat(isEmpty).isTrue();
        }
    }

    private static boolean isEmpty(WriteLock turns, Connection connection) {
        try {
            return turns.during(
                    connection,
                    inside -> !inside.createStatement()
                            .executeQuery("SELECT a FROM t")
                            .next());
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    private static void hold(String url, CountDownLatch entered, CountDownLatch gate) {
        Dialect dialect = Dialect.of(url);
        try (Connection connection = DriverManager.getConnection(dialect.url(url), "sa", "")) {
            dialect.writeLock().during(connection, inside -> {
                entered.countDown();
                return awaited(gate);
            });
        } catch (SQLException failed) {
            throw new SqlFailed(failed);
        }
    }

    private static boolean awaited(CountDownLatch gate) {
        try {
            return gate.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static JdbcStore open(String url) {
        return JdbcStore.open(TestStores.config(url, InstantSource.system()));
    }
}
