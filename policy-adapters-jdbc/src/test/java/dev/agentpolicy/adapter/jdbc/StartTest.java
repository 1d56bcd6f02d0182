package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.connect.DatabaseConfig;
import dev.agentpolicy.adapter.jdbc.dialect.Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On which databases the service starts, and what it says of the others. */
class StartTest {
    @TempDir
    Path folder;

    @Test
    void h2_with_a_write_delay_is_refused() {
        assertThatThrownBy(() -> open(TestStores.h2(folder) + ";WRITE_DELAY=500"))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("WRITE_DELAY=0");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void h2_is_made_durable_whatever_its_url_leaves_out() {
        String file = "jdbc:h2:" + folder + "/a";

        assertThat(completed(file)).contains(";WRITE_DELAY=0", ";DB_CLOSE_ON_EXIT=FALSE", ";MAX_COMPACT_TIME=0");
        assertThat(completed(file + ";write_delay=0;DB_CLOSE_ON_EXIT=TRUE"))
                .doesNotContain("WRITE_DELAY=0", "ON_EXIT=FALSE");
        assertThat(completed("jdbc:h2:mem:a")).contains(";DB_CLOSE_DELAY=-1").doesNotContain("WRITE_DELAY");
    }

    /**
     * H2 may remember the last rows of a query, and would then tell them for a moment after a commit, while another query
     * already tells what was committed. A function that changes its value shows whether it reads again.
     */
    @Test
    void h2_reads_again_for_every_query_and_never_repeats_its_last_answer() throws SQLException {
        String property = "h2.reads.again";
        try (Connection connection = DriverManager.getConnection(
                        Dialect.of("jdbc:h2:mem:again").url("jdbc:h2:mem:again"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ALIAS told DETERMINISTIC FOR 'java.lang.System.getProperty'");
            statement.execute("CREATE TABLE one AS SELECT CAST('" + property + "' AS varchar) AS name");
            List<String> told = new ArrayList<>();
            for (String value : List.of("first", "second")) {
                System.setProperty(property, value);
                told.addAll(Reads.list(connection, "SELECT told(name) FROM one", row -> row.getString(1)));
            }
            assertThat(told).containsExactly("first", "second");
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void commits_on_h2_are_forced_to_the_disk() throws SQLException {
        String url = TestStores.h2(folder);
        Dialect dialect = Dialect.of(url);
        Connection connection = DriverManager.getConnection(dialect.url(url));
        dialect.requireDurable(connection);
        dialect.flush(connection);
        connection.close();

        assertThatThrownBy(() -> dialect.flush(connection)).isInstanceOf(SQLException.class);
    }

    private static String completed(String url) {
        return Dialect.of(url).url(url);
    }

    @Test
    void the_folder_of_an_h2_file_is_made() {
        open("jdbc:h2:file:" + folder + "/some/where/policy").close();

        assertThat(Files.exists(folder.resolve("some/where/policy.mv.db"))).isTrue();
    }

    @Test
    void h2_needs_neither_user_nor_password() {
        DatabaseConfig config = TestStores.config(TestStores.h2(folder), clock());
        try (JdbcStore store =
                JdbcStore.open(DatabaseConfig.of(config.url(), null, null, config.clock(), config.random()))) {
            assertThat(store.isReady()).isTrue();
        }
    }

    @Test
    void a_store_is_opened_again_as_it_was() {
        String url = TestStores.h2(folder);
        open(url).close();
        try (JdbcStore again = open(url)) {
            assertThat(again.isReady()).isTrue();
            assertThat(again.sealedKeys().all()).isEmpty();
        }
    }

    @Test
    void postgres_that_may_lose_commits_is_refused() {
        String url = database("synchronous_commit", "off");

        assertThatThrownBy(() -> open(url))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("synchronous_commit = off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "local", "remote_write", "remote_apply"})
    void postgres_that_flushes_before_it_answers_is_accepted(String setting) {
        try (JdbcStore store = open(database("synchronous_commit", setting))) {
            assertThat(store.isReady()).isTrue();
        }
    }

    @Test
    void postgres_that_is_not_there_is_named_with_what_to_check() {
        assertThatThrownBy(() -> open("jdbc:postgresql://127.0.0.1:1/policy"))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("POLICY_DB_URL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:mysql://localhost/policy", "", "postgres://localhost/policy"})
    void other_databases_are_refused(String url) {
        assertThatThrownBy(() -> open(url))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("jdbc:postgresql:");
    }

    @Test
    void nodes_that_start_at_once_on_an_empty_database_all_start() {
        String url = TestPostgres.emptyDatabase();
        ExecutorService nodes = Executors.newFixedThreadPool(3);
        try {
            List<CompletableFuture<JdbcStore>> stores = Stream.generate(
                            () -> CompletableFuture.supplyAsync(() -> open(url), nodes))
                    .limit(3)
                    .toList();
            stores.forEach(store -> {
                assertThat(store.join().isReady()).isTrue();
                store.join().close();
            });
        } finally {
            nodes.shutdown();
        }
    }

    @Test
    void neither_password_nor_url_is_ever_printed() {
        DatabaseConfig config = TestStores.config("jdbc:postgresql://db/policy?password=secret", clock());

        assertThat(config.toString()).doesNotContain("secret");
    }

    private static String database(String setting, String value) {
        String url = TestPostgres.emptyDatabase();
        String name = url.substring(url.lastIndexOf('/') + 1).replaceAll("\\?.*", "");
        TestPostgres.execute(url, "ALTER DATABASE " + name + " SET " + setting + " = " + value);
        return url;
    }

    private static JdbcStore open(String url) {
        return JdbcStore.open(TestStores.config(url, clock()));
    }

    private static SettableClock clock() {
        return new SettableClock(StoreSamples.START);
    }
}
