package dev.agentpolicy.domain.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How many passwords may be tried, by whom and from where. */
class WrongPasswordsTest {
    private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration WINDOW = Duration.ofMinutes(15);
    private final WrongPasswords wrong = new WrongPasswords();

    @Test
    void five_tries_of_one_address_from_one_place() {
        assertThat(tries("anna", "here", 6)).isEqualTo(5);
        assertThat(wrong.secondsToWait("anna", "here", START)).isEqualTo(901);
        assertThat(wrong.secondsToWait("anna", "there", START)).isZero();
        assertThat(wrong.secondsToWait("bob", "here", START)).isZero();
    }

    @Test
    void thirty_tries_from_one_place() {
        int made = 0;
        for (int i = 0; i < 40; i++) {
            made += tries("user" + i, "here", 1);
        }
        assertThat(made).isEqualTo(30);
        assertThat(wrong.secondsToWait("anna", "there", START)).isZero();
    }

    @Test
    void fifty_tries_of_one_address_wherever_from() {
        int made = 0;
        for (int i = 0; i < 60; i++) {
            made += tries("anna", "place" + i, 1);
        }
        assertThat(made).isEqualTo(50);
        assertThat(wrong.secondsToWait("bob", "place1", START)).isZero();
    }

    @Test
    void a_try_that_has_to_wait_is_not_counted() {
        tries("anna", "here", 5);
        tries("anna", "here", 100);

        assertThat(tries("bob", "here", 5)).isEqualTo(5);
    }

    @Test
    void the_window_begins_with_the_first_try_and_ends_a_quarter_of_an_hour_later() {
        tries("anna", "here", 5);

        assertThat(wrong.secondsToWait("anna", "here", START.plus(WINDOW))).isOne();
        assertThat(wrong.secondsToWait("anna", "here", START.plus(WINDOW).plusSeconds(1)))
                .isZero();
        assertThat(wrong.secondsToWait("anna", "here", START.plus(WINDOW).plusSeconds(2)))
                .isZero();
    }

    @Test
    void a_window_that_is_over_begins_anew_with_one_try() {
        tries("anna", "here", 4);
        Instant later = START.plus(WINDOW).plusSeconds(1);
        wrong.secondsToWait("anna", "here", later);

        for (int i = 0; i < 4; i++) {
            assertThat(wrong.secondsToWait("anna", "here", later)).isZero();
        }
        assertThat(wrong.secondsToWait("anna", "here", later)).isEqualTo(901);
    }

    @Test
    void who_knew_the_password_begins_anew_and_leaves_the_place_one_try() {
        tries("anna", "here", 5);
        wrong.forget("anna", "here");

        assertThat(tries("anna", "here", 6)).isEqualTo(5);
        int others = 0;
        for (int i = 0; i < 40; i++) {
            others += tries("user" + i, "here", 1);
        }
        assertThat(others).isEqualTo(21);
    }

    @Test
    void the_oldest_are_forgotten_before_memory_runs_out() {
        tries("anna", "here", 5);
        for (int i = 0; i < 6_660; i++) {
            tries("user" + i, "place" + i, 1);
        }
        assertThat(wrong.secondsToWait("anna", "here", START)).isPositive();
        for (int i = 0; i < 10; i++) {
            tries("more" + i, "more" + i, 1);
        }
        assertThat(wrong.secondsToWait("anna", "here", START)).isZero();
    }

    @Test
    void twenty_thousand_names_are_remembered_and_not_one_more() {
        tries("anna", "here", 5);
        for (int i = 0; i < 6_665; i++) {
            tries("user" + i, "place" + i, 1);
        }
        tries("user0", "elsewhere", 1);
        assertThat(wrong.secondsToWait("anna", "here", START)).isPositive();
        tries("user0", "nowhere", 1);

        assertThat(wrong.secondsToWait("anna", "here", START)).isZero();
    }

    private int tries(String email, String address, int times) {
        int made = 0;
        for (int i = 0; i < times; i++) {
            made += wrong.secondsToWait(email, address, START) == 0 ? 1 : 0;
        }
        return made;
    }
}
