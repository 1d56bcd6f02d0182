package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.guard.GuardedClock.Doubt;
import dev.agentpolicy.domain.port.StoreSamples;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a clock is trusted, and what time it is while it is not. */
class GuardedClockTest {
    private static final Duration TOLERANCE = Duration.ofSeconds(300);
    private static final Duration DAYS = Duration.ofDays(400);

    private final SettableClocks machine = new SettableClocks(StoreSamples.START);
    private final GuardedClock clock = new GuardedClock(machine.clocks(), TOLERANCE);

    @Test
    void time_that_passes_is_trusted_however_much_passes() {
        machine.pass(Duration.ofDays(30));

        assertThat(clock.instant()).isEqualTo(StoreSamples.START.plus(Duration.ofDays(30)));
        assertThat(clock.isTrusted()).isTrue();
    }

    @Test
    void a_jump_is_found_by_the_first_who_asks_and_nobody_is_told_the_time_it_jumped_to() {
        machine.jump(DAYS);

        assertThat(clock.instant()).isEqualTo(StoreSamples.START);
        assertThat(clock.isDoubted(Doubt.JUMPED)).isTrue();
        assertThat(clock.stop()).isPresent();
        machine.pass(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(StoreSamples.START.plus(Duration.ofHours(1)));
    }

    @Test
    void a_jump_back_is_found_as_well() {
        machine.jump(DAYS.negated());

        assertThat(clock.instant()).isEqualTo(StoreSamples.START);
        assertThat(clock.isTrusted()).isFalse();
    }

    @Test
    void a_jump_of_what_is_tolerated_is_trusted_and_one_more_millisecond_is_not() {
        machine.jump(TOLERANCE);
        assertThat(clock.instant()).isEqualTo(StoreSamples.START.plus(TOLERANCE));
        assertThat(clock.isTrusted()).isTrue();

        machine.jump(Duration.ofMillis(1));
        clock.check();
        assertThat(clock.isTrusted()).isFalse();
    }

    @Test
    void steps_that_are_small_each_are_found_when_they_are_large_together() {
        for (int i = 0; i < 10; i++) {
            machine.jump(Duration.ofSeconds(29));
            machine.pass(Duration.ofHours(1));
            clock.check();
        }
        assertThat(clock.isTrusted()).isTrue();

        machine.jump(Duration.ofSeconds(29));
        clock.check();

        assertThat(clock.isTrusted()).isFalse();
    }

    @Test
    void a_machine_that_slept_is_trusted_where_sleep_is_counted_and_where_nothing_counts_it() {
        machine.pass(Duration.ofHours(8));
        assertThat(clock.instant()).isEqualTo(StoreSamples.START.plus(Duration.ofHours(8)));
        assertThat(clock.isTrusted()).isTrue();

        SettableClocks sleepless = new SettableClocks(StoreSamples.START);
        GuardedClock other = new GuardedClock(sleepless.withoutSleep(), TOLERANCE);
        sleepless.jump(Duration.ofHours(8));
        assertThat(other.instant()).isEqualTo(StoreSamples.START.plus(Duration.ofHours(8)));
        assertThat(other.isTrusted()).isTrue();
        sleepless.jump(Duration.ofHours(-1));
        other.check();
        assertThat(other.isTrusted()).describedAs("no sleep goes back").isFalse();
    }

    @Test
    void one_minute_of_agreement_with_the_database_ends_the_doubt_and_less_does_not() {
        machine.jump(DAYS);
        clock.check();
        clock.compared(Duration.ZERO);
        machine.pass(Duration.ofSeconds(59));
        clock.compared(Duration.ofSeconds(1));
        assertThat(clock.isTrusted()).isFalse();

        machine.pass(Duration.ofSeconds(1));
        clock.compared(Duration.ZERO);

        assertThat(clock.isTrusted()).isTrue();
        assertThat(clock.instant()).isEqualTo(machine.wall());
    }

    @Test
    void a_minute_in_which_the_database_disagreed_or_was_away_begins_again() {
        machine.jump(DAYS);
        clock.check();
        clock.compared(Duration.ZERO);
        machine.pass(Duration.ofSeconds(50));
        clock.compared(DAYS);
        machine.pass(Duration.ofSeconds(50));
        clock.compared(Duration.ZERO);
        machine.pass(Duration.ofSeconds(50));
        clock.unknown();
        machine.pass(Duration.ofSeconds(50));
        clock.compared(Duration.ZERO);

        assertThat(clock.isTrusted()).isFalse();
    }

    @Test
    void a_clock_apart_from_that_of_the_database_is_not_trusted_on_either_side() {
        clock.compared(TOLERANCE);
        assertThat(clock.isTrusted()).isTrue();
        clock.compared(TOLERANCE.plusMillis(1).negated());

        assertThat(clock.isDoubted(Doubt.DATABASE)).isTrue();
        assertThat(clock.instant()).isEqualTo(StoreSamples.START);
    }

    @Test
    void without_a_database_to_ask_a_clock_that_is_set_back_is_trusted_after_a_minute() {
        machine.jump(DAYS);
        clock.check();
        clock.comparedWithBootOnly();
        machine.pass(Duration.ofMinutes(5));
        clock.comparedWithBootOnly();
        assertThat(clock.isTrusted()).isFalse();

        machine.jump(DAYS.negated());
        clock.comparedWithBootOnly();
        machine.pass(GuardedClock.AGREEMENT);
        clock.comparedWithBootOnly();

        assertThat(clock.isTrusted()).isTrue();
        assertThat(clock.instant()).isEqualTo(StoreSamples.START.plus(Duration.ofMinutes(6)));
    }

    @Test
    void the_clock_since_boot_of_this_machine_goes_on() throws Exception {
        Clocks.BootClock real = Clocks.system().sinceBoot();
        long before = real.nanos().getAsLong();
        Instant until = Instant.now().plusSeconds(5);
        while (real.nanos().getAsLong() == before && Instant.now().isBefore(until)) {
            Thread.onSpinWait();
        }

        assertThat(real.nanos().getAsLong()).isGreaterThan(before);
        assertThat(real.countsSleep()).isEqualTo(System.getProperty("os.name").startsWith("Linux"));
    }
}
