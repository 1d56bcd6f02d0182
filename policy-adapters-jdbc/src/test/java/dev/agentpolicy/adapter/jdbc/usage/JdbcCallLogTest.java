package dev.agentpolicy.adapter.jdbc.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.adapter.jdbc.MortalPostgres;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.CallLog;
import dev.agentpolicy.domain.port.CallLogContract;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

class JdbcCallLogTest {

    /** The contract and more, on two nodes with one database. */
    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class TwoNodes implements CallLogContract {
        private String url;
        private JdbcStore one;
        private JdbcStore two;

        abstract String newUrl();

        @BeforeAll
        void open() {
            url = newUrl();
            one = open(url);
            two = open(url);
        }

        @AfterAll
        void close() {
            one.close();
            two.close();
        }

        @Override
        public CallLog calls() {
            return one.callLog();
        }

        @Override
        public CallLog otherNode() {
            return two.callLog();
        }

        @Test
        void a_call_shows_on_other_nodes_after_a_second_or_two() throws Exception {
            UserId user = new UserId(UUID.randomUUID());
            calls().record(new CallRecord(user, KEY, "/a", 200, 1_000, NOON));

            long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (total(otherNode(), user) == 0 && System.nanoTime() < deadline) {
                Thread.sleep(50);
            }
            assertThat(total(otherNode(), user)).isEqualTo(1);
        }

        @Test
        void closing_the_store_writes_calls_that_are_not_written_yet() {
            UserId user = new UserId(UUID.randomUUID());
            JdbcStore third = open(url);
            third.callLog().record(new CallRecord(user, KEY, "/a", 200, 1_000, NOON));
            third.close();

            assertThat(total(calls(), user)).isEqualTo(1);
        }

        @Test
        void days_are_kept_for_35_days() {
            UserId user = new UserId(UUID.randomUUID());
            for (int age = 30; age < 40; age++) {
                calls().record(new CallRecord(user, KEY, "/a", 200, 1_000, NOON.minus(Duration.ofDays(age))));
            }
            calls().report(user, TODAY, TODAY);

            ((JdbcCallLog) calls()).removeOld();

            UsageReport report = calls().report(user, TODAY.minusDays(50), TODAY);
            assertThat(report.totals().total()).isEqualTo(5);
            assertThat(report.topPaths()).containsExactly(new UsageReport.PathCount("/a", 5));
            assertThat(report.series().get(50 - 34).total()).isEqualTo(1);
            assertThat(report.series().get(50 - 35).total()).isZero();
        }

        private static long total(CallLog log, UserId user) {
            return log.report(user, TODAY, TODAY).totals().total();
        }

        private static JdbcStore open(String url) {
            return JdbcStore.open(TestStores.config(url, InstantSource.fixed(NOON)));
        }
    }

    @Test
    void calls_recorded_while_the_database_is_dead_are_counted_when_it_is_back(@TempDir Path folder) throws Exception {
        try (MortalPostgres postgres = new MortalPostgres(folder);
                JdbcStore store = TwoNodes.open(postgres.url())) {
            UserId user = new UserId(UUID.randomUUID());
            recordCalls(store, user, 1_000);
            postgres.kill();
            recordCalls(store, user, 200_000);
            Thread.sleep(1_500);
            recordCalls(store, user, 50_000);
            postgres.restart();

            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!isCounted(store, user, 251_000) && System.nanoTime() < deadline) {
                Thread.sleep(100);
            }
            assertThat(TwoNodes.total(store.callLog(), user)).isEqualTo(251_000);
        }
    }

    private static boolean isCounted(JdbcStore store, UserId user, long calls) {
        try {
            return TwoNodes.total(store.callLog(), user) == calls;
        } catch (Unavailable away) {
            return false;
        }
    }

    private static void recordCalls(JdbcStore store, UserId user, int calls) {
        for (int i = 0; i < calls; i++) {
            store.callLog()
                    .record(new CallRecord(
                            user, CallLogContract.KEY, "/a", 200, 1_000, CallLogContract.NOON.plusNanos(i * 1_000L)));
        }
    }

    @Nested
    class OnH2 extends TwoNodes {
        @TempDir
        static Path folder;

        @Override
        String newUrl() {
            return TestStores.h2(folder);
        }
    }

    @Nested
    class OnPostgres extends TwoNodes {
        @Override
        String newUrl() {
            return TestPostgres.freshDatabase();
        }
    }
}
