package dev.agentpolicy.adapter.jdbc.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.Crowd;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import dev.agentpolicy.domain.port.CallCounterContract;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class WindowCounterTest implements CallCounterContract {
    private final CallCounter counter = new WindowCounter(LIMIT);

    @Override
    public CallCounter counter() {
        return counter;
    }

    @Test
    void in_real_time_exactly_the_limit_is_admitted_in_every_second() throws Exception {
        Crowd crowd = new Crowd(20, "busy", caller -> counter);

        crowd.callFor(Duration.ofSeconds(3));

        crowd.secondsBetweenFirstAndLast()
                .forEach(second -> assertThat(crowd.admittedIn(second)).isEqualTo(LIMIT));
        assertThat(crowd.secondsBetweenFirstAndLast()).isNotEmpty();
    }

    @Test
    void a_caller_is_not_refused_because_the_clock_was_set_back() throws Exception {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        for (int call = 0; call < LIMIT; call++) {
            CallCounterContract.counted(counter, "caller", now);
        }
        Thread.sleep(3_100);

        assertThat(CallCounterContract.counted(counter, "caller", now.minusSeconds(3_600))
                        .remaining())
                .isEqualTo(LIMIT - 1);
    }

    @Test
    void more_callers_than_there_is_room_for_share_one_budget() {
        for (int caller = 0; caller < 100_000; caller++) {
            assertThat(CallCounterContract.counted(counter, "caller-" + caller, NOON)
                            .isAdmitted())
                    .isTrue();
        }
        RateBudget last = RateBudget.full(LIMIT);
        for (int caller = 0; caller <= LIMIT; caller++) {
            last = CallCounterContract.counted(counter, "one-too-many-" + caller, NOON);
        }

        assertThat(last.isAdmitted()).isFalse();
        assertThat(CallCounterContract.counted(counter, "caller-7", NOON).remaining())
                .isEqualTo(LIMIT - 2);
    }
}
