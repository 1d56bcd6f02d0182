package dev.agentpolicy.adapter.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.OwnerLimits;
import dev.agentpolicy.domain.usecase.policy.AmendIps;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Starts and sweeps on a database of many accounts, which must not look at all of them. */
class ManyAccountsTest {
    private static final int SOME = 50_000;
    private static final int MANY = 2_000_000;
    private static final Duration MAX_START = Duration.ofSeconds(5);
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final String ZERO = "00000000-0000-0000-0000-000000000000";
    private static final String END = "00000000-0000-0000-0000-000000002000";
    private static final String DAY = "2026-11-10";

    private final SettableClock clock = new SettableClock(NOW);

    @Test
    void a_start_does_not_wait_for_the_accounts() throws SQLException {
        String url = TestPostgres.freshDatabase();
        write(url);
        try (Connection other = DriverManager.getConnection(url);
                Statement lock = other.createStatement()) {
            other.setAutoCommit(false);
            lock.execute("LOCK TABLE account, policy_event, portfolio_revision IN ACCESS EXCLUSIVE MODE");
            try (JdbcStore store = open(url)) {
                assertThat(store.newestEvent().after(NOW.plusSeconds(300))).isEmpty();
            }
        }
    }

    @Test
    void a_newest_event_that_is_not_noted_is_found() throws SQLException {
        String url = TestPostgres.freshDatabase();
        write(url);
        TestPostgres.execute(url, "DELETE FROM progress");

        try (JdbcStore store = open(url)) {
            assertThat(store.newestEvent().after(NOW.minusSeconds(300))).contains(NOW);
            assertThat(store.newestEvent().after(NOW)).isEmpty();
        }
    }

    @Test
    void days_that_were_swept_are_not_looked_at_again_by_another_node() throws SQLException {
        String url = TestPostgres.freshDatabase();
        sweepTwice(url);
    }

    @Test
    void days_that_were_swept_are_not_looked_at_again_on_h2(@TempDir Path folder) throws SQLException {
        sweepTwice(TestStores.h2(folder));
    }

    private void sweepTwice(String url) throws SQLException {
        try (JdbcStore store = open(url)) {
            insert(url, 3_000, 2);
            assertThat(store.removeOldRevisions(NOW)).isEqualTo(3_000);
            assertThat(store.removeOldRevisions(NOW)).isZero();
        }
        insert(url, 3_000, 1);
        try (JdbcStore store = open(url)) {
            assertThat(store.removeOldRevisions(NOW)).isZero();
        }
    }

    @Test
    void no_statement_of_the_sweep_reads_a_whole_table() throws SQLException {
        assumeFalse(TestPostgres.isDistributed());
        String url = TestPostgres.freshDatabase();
        open(url).close();
        insert(url, SOME, 2);
        TestPostgres.execute(url, "ANALYZE");

        assertThat(plan(url, bound(RevisionSweep.NEXT_DAY, "1970-01-01", "2026-11-19")))
                .doesNotContain("Seq Scan");
        assertThat(plan(url, bound(RevisionSweep.LAST_OF_PORTION, DAY, ZERO))).doesNotContain("Seq Scan", "Sort");
        assertThat(plan(url, bound(RevisionSweep.REMOVING, DAY, ZERO, END)))
                .doesNotContain("Seq Scan", "Join", "Nested Loop");
    }

    @Test
    void chains_that_have_to_go_over_to_another_key_are_found_by_an_index() throws SQLException {
        String url = TestPostgres.freshDatabase();
        open(url).close();
        insert(url, SOME, 0);
        TestPostgres.execute(url, "UPDATE account SET signing_key_id = 'active'");
        TestPostgres.execute(url, "ANALYZE");

        assertThat(plan(url, bound(JdbcSealedKeys.CHAINS_OF_KEY, "retired", "1000")))
                .doesNotContain("Seq Scan");
    }

    /** Prints how long the start takes and the first hour's sweep. */
    @Test
    @EnabledIfSystemProperty(named = "experiments", matches = "long")
    void with_2_000_000_accounts_a_node_starts_in_5_seconds_and_the_sweeps_keep_pace() throws SQLException {
        String url = TestPostgres.freshDatabase();
        write(url);
        insert(url, MANY, 2);
        TestPostgres.execute(url, "ANALYZE");

        long begun = System.nanoTime();
        try (JdbcStore store = open(url)) {
            assertThat(store.newestEvent().after(NOW.plusSeconds(300))).isEmpty();
            Duration start = Duration.ofNanos(System.nanoTime() - begun);
            System.out.println("Start with " + MANY + " accounts: " + start.toMillis() + " ms");
            assertThat(start).isLessThan(MAX_START);
            int removed = 0;
            int calls = 0;
            for (int some = 1; some > 0; calls++) {
                some = store.removeOldRevisions(NOW);
                removed += some;
            }
            System.out.println("Swept " + removed + " revisions of a day in " + calls + " calls");
            assertThat(removed).isEqualTo(MANY);
            assertThat(calls).isLessThan(24);
        }
    }

    /** A node writes one event and stops. */
    private void write(String url) {
        try (JdbcStore store = open(url)) {
            new AmendIps(TestStores.accounts(store, new JdkSigner(), head -> {}), OwnerLimits.NONE, Runnable::run)
                    .put(StoreSamples.user(), StoreSamples.ips("0.05"))
                    .toCompletableFuture()
                    .join();
        }
    }

    private JdbcStore open(String url) {
        return JdbcStore.open(TestStores.config(url, clock));
    }

    /** Accounts with some revisions on a day that is over. */
    private static void insert(String url, int accounts, int revisions) throws SQLException {
        boolean isH2 = url.startsWith("jdbc:h2:");
        String user = "CAST('00000000-0000-0000-0000-' || lpad(CAST(n.i AS varchar), 12, '0') AS uuid)";
        String numbers = isH2 ? "(SELECT x AS i FROM system_range(1, %d)) AS n" : "generate_series(1, %d) AS n(i)";
        execute(
                url,
                isH2 ? "sa" : null,
                "DELETE FROM account WHERE user_id < '00000000-0000-0000-0001-000000000000'",
                "DELETE FROM portfolio_revision",
                ("INSERT INTO account(user_id, chain_seq, chain_created_at, portfolio_rev) SELECT " + user
                                + ", 1, timestamp with time zone '" + DAY + " 10:00:00+00', " + revisions + " FROM "
                                + numbers)
                        .formatted(accounts),
                ("INSERT INTO portfolio_revision(user_id, revision, as_of, as_of_day, total_usd, peak_usd, document) SELECT "
                                + user + ", r.i, timestamp with time zone '" + DAY + " 10:00:00+00', DATE '" + DAY
                                + "', '1', '1', '{}' FROM " + numbers + ", " + numbers.replace("AS n", "AS r"))
                        .formatted(accounts, revisions));
    }

    private static void execute(String url, String user, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, user == null ? null : "");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String bound(String sql, String... values) {
        String bound = sql;
        for (String value : values) {
            bound = bound.replaceFirst("\\?", "'" + value + "'");
        }
        return bound;
    }

    private static String plan(String url, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("EXPLAIN " + sql)) {
            while (row.next()) {
                plan.append(row.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }
}
