package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The limit of sign-ups of a network. */
class SlidingWindowTest {
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void each_network_has_its_own_sign_ups_per_hour() {
        SlidingWindow budget = new SlidingWindow(10);

        assertThat(signUps(budget, "here", 24)).isEqualTo(10);
        assertThat(budget.secondsToWait("here", START)).isEqualTo(3600);
        assertThat(signUps(budget, "there", 24)).isEqualTo(10);
    }

    @Test
    void a_sign_up_counts_for_one_hour() {
        SlidingWindow budget = new SlidingWindow(2);
        budget.secondsToWait("here", START);
        budget.secondsToWait("here", START.plusSeconds(600));

        assertThat(budget.secondsToWait("here", START.plusSeconds(1_200))).isEqualTo(2_401);
        assertThat(budget.secondsToWait("here", START.plus(HOUR).minusSeconds(1)))
                .isEqualTo(2);
        assertThat(budget.secondsToWait("here", START.plus(HOUR))).isZero();
        assertThat(budget.secondsToWait("here", START.plus(HOUR))).isEqualTo(601);
    }

    @Test
    void no_wait_is_longer_than_an_hour_when_the_clock_was_set_back() {
        SlidingWindow budget = new SlidingWindow(1);
        budget.secondsToWait("here", START);

        assertThat(budget.secondsToWait("here", START.minus(Duration.ofDays(400))))
                .isEqualTo(3600);
    }

    @Test
    void zero_means_no_limit() {
        assertThat(signUps(new SlidingWindow(0), "here", 1_000)).isEqualTo(1_000);
    }

    @Test
    void networks_whose_last_sign_up_is_oldest_are_forgotten_first() {
        SlidingWindow budget = new SlidingWindow(2);
        signUps(budget, "quiet", 2);
        budget.secondsToWait("busy", START);
        for (int i = 0; i < SlidingWindow.MAX_REMEMBERED - 4; i++) {
            budget.secondsToWait("place" + i, START);
        }
        budget.secondsToWait("busy", START);
        assertThat(budget.secondsToWait("quiet", START)).isPositive();

        budget.secondsToWait("one more", START);

        assertThat(budget.secondsToWait("busy", START)).isPositive();
        assertThat(budget.secondsToWait("quiet", START)).isZero();
    }

    private static int signUps(SlidingWindow budget, String network, int times) {
        int made = 0;
        for (int i = 0; i < times; i++) {
            made += budget.secondsToWait(network, START) == 0 ? 1 : 0;
        }
        return made;
    }
}
