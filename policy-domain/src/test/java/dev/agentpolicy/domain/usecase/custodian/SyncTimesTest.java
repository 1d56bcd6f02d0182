package dev.agentpolicy.domain.usecase.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.SampleValues;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an order under way is asked for again. */
class SyncTimesTest {
    private static final Duration MAX_AGE = Duration.ofMinutes(15);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PT1M   | PT0S     | PT1S
            PT1M   | PT4S     | PT1S
            PT1M   | PT4.004S | PT1.001S
            PT1M   | PT20S    | PT5S
            PT1M   | PT3M56S  | PT59S
            PT1M   | PT4M     | PT1M
            PT1M   | PT5H     | PT1M
            PT1M   | -PT20S   | PT1S
            PT0.5S | PT0S     | PT0.5S
            """)
    void the_wait_grows_with_the_age_of_the_order_from_a_second_to_the_interval(
            Duration interval, Duration age, Duration wait) {
        SyncTimes times = new SyncTimes(interval, MAX_AGE);
        Instant acceptedAt = SampleValues.NOON;
        Instant now = acceptedAt.plus(age);

        assertThat(times.nextSync(acceptedAt, now)).isEqualTo(now.plus(wait));
    }
}
