package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final Trade BUY = SampleValues.trade("buy 50 BTC crypto");
    private static final Trade SELL = SampleValues.trade("sell 50 BTC crypto");
    private static final Tally USED = Tally.NONE
            .at(Instant.parse("2026-11-21T10:00:00Z"))
            .plusCall()
            .plusCall()
            .plusUsd(Usd.of(70))
            .plusPending(BUY)
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
    void buys_and_sells_are_pending_and_only_buys_count_as_aum() {
        Tally both = USED.plusPending(SELL);

        assertThat(both.pending()).isEqualTo(2);
        assertThat(both.aum()).isEqualTo(USED.aum());
        assertThat(both.minusPending(SELL)).isEqualTo(USED);
        assertThat(USED.at(Instant.parse("2026-11-22T00:00:00Z")).pending()).isEqualTo(1);
        assertThat(Tally.NONE.minusPending(SELL).pending()).isZero();
    }

    @Test
    void a_clock_set_back_resets_nothing() {
        assertThat(USED.at(Instant.parse("2026-11-20T10:00:00Z"))).isEqualTo(USED);
    }

    @Test
    void assets_under_management_are_pending_and_completed_buys_less_completed_sells() {
        assertThat(USED.aum()).isEqualTo(Usd.of(80));
        assertThat(USED.minusPending(BUY).aum()).isEqualTo(Usd.of(30));
        assertThat(USED.plusCompletedSell(Usd.of(60)).aum()).isEqualTo(Usd.of(20));
        assertThat(USED.plusCompletedSell(Usd.of(90)).aum()).isEqualTo(Usd.ZERO);
    }
}
