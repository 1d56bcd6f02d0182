package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The contract of {@link CallCounter}, for a counter that admits {@link #LIMIT} calls per second. */
public interface CallCounterContract {
    int LIMIT = 50;
    Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    CallCounter counter();

    @Test
    default void calls_beyond_the_budget_are_refused() {
        String caller = caller();
        for (int call = 1; call <= LIMIT; call++) {
            assertThat(count(caller, NOON)).isEqualTo(new RateBudget(LIMIT, LIMIT - call, 1, true));
        }
        assertThat(count(caller, NOON)).isEqualTo(new RateBudget(LIMIT, 0, 1, false));
        assertThat(count(caller, NOON.plusNanos(999_999_999))).isEqualTo(new RateBudget(LIMIT, 0, 1, false));
    }

    @Test
    default void every_whole_second_has_a_new_budget() {
        String caller = caller();
        for (int call = 0; call < LIMIT + 5; call++) {
            count(caller, NOON.plusMillis(900));
        }

        assertThat(count(caller, NOON.plusMillis(999)).isAdmitted()).isFalse();
        assertThat(count(caller, NOON.plusMillis(1_000)).remaining()).isEqualTo(LIMIT - 1);
    }

    @Test
    default void a_late_call_is_counted_in_its_own_second() {
        String caller = caller();
        for (int call = 0; call < LIMIT; call++) {
            count(caller, NOON);
        }
        count(caller, NOON.plusSeconds(1));

        assertThat(count(caller, NOON).isAdmitted()).isFalse();
        assertThat(count(caller, NOON.plusSeconds(1)).remaining()).isEqualTo(LIMIT - 2);
    }

    @Test
    default void each_caller_has_its_own_budget() {
        String one = caller();
        for (int call = 0; call < LIMIT + 5; call++) {
            count(one, NOON);
        }

        assertThat(count(caller(), NOON).remaining()).isEqualTo(LIMIT - 1);
    }

    @Test
    default void two_hundred_concurrent_callers_get_exactly_the_limit_in_each_of_20_seconds() throws Exception {
        String caller = caller();
        ExecutorService callers = Executors.newFixedThreadPool(200);
        try {
            for (int second = 0; second < 20; second++) {
                Instant now = NOON.plusSeconds(second);
                List<Callable<RateBudget>> calls = new ArrayList<>();
                for (int call = 0; call < 200; call++) {
                    calls.add(() -> count(caller, now));
                }
                List<RateBudget> budgets = new ArrayList<>();
                for (Future<RateBudget> budget : callers.invokeAll(calls)) {
                    budgets.add(budget.get());
                }
                assertThat(budgets.stream().filter(RateBudget::isAdmitted)).hasSize(LIMIT);
                assertThat(budgets.stream().filter(RateBudget::isAdmitted).map(RateBudget::remaining))
                        .doesNotHaveDuplicates();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    /** Counts one call and waits for the result. */
    static RateBudget counted(CallCounter counter, String caller, Instant now) {
        return counter.count(caller, now).toCompletableFuture().join();
    }

    private RateBudget count(String caller, Instant now) {
        return counted(counter(), caller, now);
    }

    private static String caller() {
        return UUID.randomUUID().toString();
    }
}
