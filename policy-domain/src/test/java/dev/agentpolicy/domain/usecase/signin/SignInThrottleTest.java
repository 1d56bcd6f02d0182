package dev.agentpolicy.domain.usecase.signin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.usecase.signin.SignInThrottle.Comparison;
import dev.agentpolicy.domain.usecase.signin.SignInThrottle.WrongLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of wrong passwords by account, network and device. */
class SignInThrottleTest {
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration WINDOW = Duration.ofMinutes(15);
    private final SignInThrottle throttle = new SignInThrottle();

    @Test
    void one_account_may_have_five_wrong_passwords_from_one_network() {
        assertThat(wrong(SignInThrottle.stranger("anna", "here"), 6)).isEqualTo(5);
        assertThat(wait(SignInThrottle.stranger("anna", "here"), START)).isEqualTo(901);
        assertThat(wait(SignInThrottle.stranger("anna", "there"), START)).isZero();
        assertThat(wait(SignInThrottle.stranger("bob", "here"), START)).isZero();
    }

    @Test
    void one_network_may_have_thirty_wrong_passwords() {
        int made = 0;
        for (int i = 0; i < 40; i++) {
            made += wrong(SignInThrottle.stranger("user" + i, "here"), 1);
        }
        assertThat(made).isEqualTo(30);
        assertThat(wait(SignInThrottle.stranger("anna", "there"), START)).isZero();
    }

    @Test
    void one_account_may_have_fifty_wrong_passwords_from_unknown_devices() {
        int made = 0;
        for (int i = 0; i < 60; i++) {
            made += wrong(SignInThrottle.stranger("anna", "place" + i), 1);
        }
        assertThat(made).isEqualTo(50);
        assertThat(wait(SignInThrottle.stranger("bob", "place1"), START)).isZero();
    }

    @Test
    void unknown_devices_do_not_lock_out_a_known_one_or_vice_versa() {
        for (int i = 0; i < 10; i++) {
            wrong(SignInThrottle.stranger("anna", "place" + i), 5);
        }
        assertThat(wait(SignInThrottle.stranger("anna", "home"), START)).isEqualTo(901);

        assertThat(wrong(SignInThrottle.device("hash"), 6)).isEqualTo(5);
        assertThat(wait(SignInThrottle.device("hash"), START)).isEqualTo(901);
        assertThat(wait(SignInThrottle.device("other"), START)).isZero();
        assertThat(wait(SignInThrottle.stranger("bob", "home"), START)).isZero();
    }

    @Test
    void a_password_that_was_not_compared_does_not_count() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        for (int i = 0; i < 100; i++) {
            assertThat(throttle.begin(anna, START)).isZero();
            throttle.end(anna, Comparison.NOT_MADE, START);
        }

        assertThat(wrong(anna, 6)).isEqualTo(5);
    }

    @Test
    void a_right_password_does_not_count() {
        for (int i = 0; i < 100; i++) {
            right(SignInThrottle.stranger("anna", "here"));
        }

        assertThat(wrong(SignInThrottle.stranger("anna", "here"), 6)).isEqualTo(5);
    }

    @Test
    void simultaneous_sign_ins_cannot_exceed_the_limit_together() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        int begun = 0;
        for (int i = 0; i < 20; i++) {
            begun += throttle.begin(anna, START) == 0 ? 1 : 0;
        }

        assertThat(begun).isEqualTo(5);
        assertThat(throttle.begin(anna, START)).isEqualTo(SignInThrottle.SECONDS_UNTIL_COMPARED);
        throttle.end(anna, Comparison.NOT_MADE, START);
        assertThat(throttle.begin(anna, START)).isZero();
    }

    @Test
    void one_network_has_eight_passwords_compared_at_once() {
        int begun = 0;
        for (int i = 0; i < 20; i++) {
            begun += throttle.begin(SignInThrottle.stranger("user" + i, "here"), START) == 0 ? 1 : 0;
        }

        assertThat(begun).isEqualTo(8);
        assertThat(throttle.begin(SignInThrottle.stranger("anna", "there"), START))
                .isZero();
    }

    @Test
    void a_sign_in_that_must_wait_is_not_counted() {
        wrong(SignInThrottle.stranger("anna", "here"), 100);

        assertThat(wrong(SignInThrottle.stranger("bob", "here"), 5)).isEqualTo(5);
    }

    @Test
    void the_window_begins_with_the_first_wrong_password_and_ends_a_quarter_of_an_hour_later() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        throttle.begin(anna, START.minusSeconds(60));
        throttle.end(anna, Comparison.DIFFERED, START);
        wrong(anna, 4);

        assertThat(wait(anna, START)).isEqualTo(901);
        assertThat(wait(anna, START.plus(WINDOW))).isOne();
        assertThat(wait(anna, START.plus(WINDOW).plusSeconds(1))).isZero();
    }

    @Test
    void a_new_window_begins_when_the_last_is_over() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        wrong(anna, 4);
        Instant later = START.plus(WINDOW).plusSeconds(1);

        for (int i = 0; i < 5; i++) {
            assertThat(throttle.begin(anna, later)).isZero();
            throttle.end(anna, Comparison.DIFFERED, later);
        }
        assertThat(wait(anna, later)).isEqualTo(901);
    }

    @Test
    void no_wait_is_longer_than_the_window_when_the_clock_was_set_back() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        wrong(anna, 5);

        assertThat(wait(anna, START.minus(Duration.ofDays(400)))).isEqualTo(901);
    }

    @Test
    void a_right_password_clears_the_wrong_ones_of_its_account_and_network_only() {
        wrong(SignInThrottle.stranger("anna", "here"), 4);
        right(SignInThrottle.stranger("anna", "here"));
        assertThat(wrong(SignInThrottle.stranger("anna", "here"), 6)).isEqualTo(5);
        int others = 0;
        for (int i = 0; i < 40; i++) {
            others += wrong(SignInThrottle.stranger("user" + i, "here"), 1);
        }

        assertThat(others).isEqualTo(30 - 9);
    }

    @Test
    void signing_in_to_an_own_account_allows_no_further_guesses_at_another() {
        int made = 0;
        for (int i = 0; i < 100; i++) {
            made += wrong(SignInThrottle.stranger("user" + i, "here"), 1);
            right(SignInThrottle.stranger("mallory", "here"));
        }

        assertThat(made).isEqualTo(30);
    }

    @Test
    void the_oldest_counts_are_forgotten_before_memory_runs_out() {
        List<WrongLimit> anna = SignInThrottle.stranger("anna", "here");
        wrong(anna, 5);
        for (int i = 0; i < (SignInThrottle.MAX_ENTRIES - 3) / 3; i++) {
            wrong(SignInThrottle.stranger("user" + i, "place" + i), 1);
        }
        assertThat(wait(anna, START)).isPositive();
        for (int i = 0; i < 2; i++) {
            wrong(SignInThrottle.stranger("more" + i, "more" + i), 1);
        }

        assertThat(wait(anna, START)).isZero();
    }

    /** Tries wrong passwords and returns how many were compared. */
    private int wrong(List<WrongLimit> source, int times) {
        int made = 0;
        for (int i = 0; i < times; i++) {
            if (throttle.begin(source, START) == 0) {
                throttle.end(source, Comparison.DIFFERED, START);
                made++;
            }
        }
        return made;
    }

    private void right(List<WrongLimit> source) {
        if (throttle.begin(source, START) == 0) {
            throttle.end(source, Comparison.MATCHED, START);
        }
    }

    /** The seconds a sign-in would have to wait; counts nothing. */
    private long wait(List<WrongLimit> source, Instant now) {
        long wait = throttle.begin(source, now);
        if (wait == 0) {
            throttle.end(source, Comparison.NOT_MADE, now);
        }
        return wait;
    }
}
