package dev.agentpolicy.adapter.jdbc.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.Crowd;
import dev.agentpolicy.adapter.jdbc.TestPostgres;
import dev.agentpolicy.adapter.jdbc.dialect.H2Dialect;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import dev.agentpolicy.domain.port.CallCounterContract;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

class SharedWindowCounterTest {

    /** The contract and more, on two nodes. Their patience is long because a test machine may stall for 20 ms. */
    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class TwoNodes implements CallCounterContract {
        private String url;
        private SharedWindowCounter one;
        private SharedWindowCounter two;

        abstract String newUrl();

        @BeforeAll
        void open() {
            url = newUrl();
            one = start(url, Duration.ofSeconds(10));
            two = start(url, Duration.ofSeconds(10));
        }

        @AfterAll
        void close() {
            one.close();
            two.close();
        }

        @Override
        public CallCounter counter() {
            return one;
        }

        @Test
        void of_200_callers_at_once_on_two_nodes_exactly_the_limit_is_admitted_in_each_of_20_seconds()
                throws Exception {
            String caller = UUID.randomUUID().toString();
            ExecutorService callers = Executors.newFixedThreadPool(200);
            try {
                for (int second = 0; second < 20; second++) {
                    long offset = second;
                    List<Callable<RateBudget>> calls = new ArrayList<>();
                    for (int call = 0; call < 200; call++) {
                        CallCounter node = call % 2 == 0 ? one : two;
                        calls.add(() -> CallCounterContract.counted(node, caller, NOON.plusSeconds(offset)));
                    }
                    int admitted = 0;
                    for (Future<RateBudget> budget : callers.invokeAll(calls)) {
                        admitted += budget.get().isAdmitted() ? 1 : 0;
                    }
                    assertThat(admitted).isEqualTo(LIMIT);
                }
            } finally {
                callers.shutdownNow();
            }
        }

        @Test
        void in_real_time_exactly_the_limit_is_admitted_over_two_nodes_in_every_second() throws Exception {
            Crowd crowd = new Crowd(20, UUID.randomUUID().toString(), caller -> caller % 2 == 0 ? one : two);

            crowd.callFor(Duration.ofSeconds(3));

            crowd.secondsBetweenFirstAndLast()
                    .forEach(second -> assertThat(crowd.admittedIn(second)).isEqualTo(LIMIT));
            assertThat(crowd.secondsBetweenFirstAndLast()).isNotEmpty();
        }

        @Test
        void old_windows_are_removed_and_young_ones_stay() throws Exception {
            CallCounterContract.counted(one, "young", NOON);
            execute("INSERT INTO rate_window(caller, window_second, calls, opened_at) VALUES"
                    + " ('old', 1, 1, CURRENT_TIMESTAMP - INTERVAL '31' SECOND)");

            one.removeOld();

            assertThat(rowsOf("old")).isZero();
            assertThat(rowsOf("young")).isEqualTo(1);
        }

        private int rowsOf(String caller) throws Exception {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT COUNT(*) FROM rate_window WHERE caller = '" + caller + "'")) {
                row.next();
                return row.getInt(1);
            }
        }

        private void execute(String sql) throws Exception {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        private Connection connect() throws Exception {
            boolean isH2 = url.startsWith(H2Dialect.PREFIX);
            return DriverManager.getConnection(url, isH2 ? "sa" : null, isH2 ? "" : null);
        }
    }

    @Nested
    class OnH2 extends TwoNodes {
        @Override
        String newUrl() {
            return "jdbc:h2:mem:" + UUID.randomUUID();
        }
    }

    @Nested
    class OnPostgres extends TwoNodes {
        @Override
        String newUrl() {
            return TestPostgres.freshDatabase();
        }
    }

    @Test
    void a_url_of_another_database_is_refused() {
        assertThatThrownBy(() -> CallCounters.shared("redis://localhost", null, null, 50))
                .isInstanceOf(UnusableDatabase.class)
                .hasMessageContaining("jdbc:postgresql:");
    }

    static SharedWindowCounter start(String url, Duration patience) {
        boolean isH2 = url.startsWith(H2Dialect.PREFIX);
        RateTable.Address address = RateTable.Address.of(url, isH2 ? "sa" : null, isH2 ? "" : null);
        return SharedWindowCounter.start(address, CallCounterContract.LIMIT, patience);
    }
}
