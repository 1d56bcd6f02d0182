package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final Tally USED = Tally.NONE
            .at(Instant.parse("2026-11-21T10:00:00Z"))
            .plusCall()
            .plusCall()
            .plusUsd(Usd.of(70))
            .plusPendingBuy(Usd.of(50))
            .plusCompletedBuy(Usd.of(30));

    @Test
    void calls_and_usd_are_of_one_utc_day() {
        assertThat(USED.at(Instant.parse("2026-11-21T23:59:59.999999Z"))).isEqualTo(USED);

        Tally tomorrow = USED.at(Instant.parse("2026-11-22T00:00:00Z"));

        assertThat(tomorrow.day()).isEqualTo(LocalDate.of(2026, 11, 22));
        assertThat(tomorrow.calls()).isZero();
        assertThat(tomorrow.usd()).isEqualTo(Usd.ZERO);
        assertThat(tomorrow.aum()).isEqualTo(Usd.of(80));
    }

    @Test
    void a_clock_that_goes_back_gives_nothing_back() {
        assertThat(USED.at(Instant.parse("2026-11-20T10:00:00Z"))).isEqualTo(USED);
    }

    @Test
    void assets_under_management_are_pending_and_completed_buys_less_completed_sells() {
        assertThat(USED.aum()).isEqualTo(Usd.of(80));
        assertThat(USED.minusPendingBuy(Usd.of(50)).aum()).isEqualTo(Usd.of(30));
        assertThat(USED.plusCompletedSell(Usd.of(60)).aum()).isEqualTo(Usd.of(20));
        assertThat(USED.plusCompletedSell(Usd.of(90)).aum()).isEqualTo(Usd.ZERO);
    }
}
