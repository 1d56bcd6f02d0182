package dev.agentpolicy.domain.portfolio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holdings at one custodian, and their effect on the peak. */
class CustodianHoldingsTest {
    private static final AssetSymbol BTC = new AssetSymbol("BTC");

    @Test
    void an_id_has_1_to_64_letters_digits_dots_dashes_and_underscores() {
        assertThat(CustodianHoldings.isId("My.broker-1_a")).isTrue();
        assertThat(CustodianHoldings.isId("x".repeat(64))).isTrue();
        assertThat(CustodianHoldings.isId("x".repeat(65))).isFalse();
        assertThat(CustodianHoldings.isId("")).isFalse();
        assertThat(CustodianHoldings.isId("a b")).isFalse();
        assertThat(CustodianHoldings.isId("a/b")).isFalse();
    }

    @Test
    void an_asset_that_moved_to_another_custodian_is_revalued_at_the_price_there() {
        Portfolio before = Portfolio.first(holdings("one", 0, 10, 100), SampleValues.NOON)
                .with(holdings("two", 10, 0, 0), SampleValues.NOON)
                .with(holdings("one", 0, 10, 80), SampleValues.NOON);
        Portfolio moved = before.with(holdings("two", 10, 10, 80), SampleValues.NOON);
        Portfolio after = moved.with(holdings("one", 0, 0, 0), SampleValues.NOON);

        assertThat(after.total()).isEqualTo(before.total());
        assertThat(after.snapshot().orElseThrow().currentDrawdown())
                .isEqualTo(before.snapshot().orElseThrow().currentDrawdown());
    }

    @Test
    void a_moved_asset_has_the_price_of_the_first_custodian_that_holds_it() {
        Portfolio before = Portfolio.first(holdings("one", 0, 10, 100), SampleValues.NOON)
                .with(holdings("two", 0, 1, 90), SampleValues.NOON)
                .with(holdings("three", 0, 1, 50), SampleValues.NOON);

        Portfolio sold = before.with(holdings("one", 900, 0, 0), SampleValues.NOON);

        // M = 10 * 90 + 1 * 90 + 1 * 50 = 1040 = N: a sale at the current price is not a flow.
        assertThat(sold.peak()).isEqualTo(before.peak()).isEqualTo(Usd.of(1_140));
        assertThat(sold.total()).isEqualTo(Usd.of(1_040));
    }

    private static CustodianHoldings holdings(String id, long cash, long quantity, long price) {
        List<Position> positions = quantity == 0
                ? List.of()
                : List.of(new Position(BTC, AssetType.CRYPTO, BigDecimal.valueOf(quantity), Usd.of(price)));
        return new CustodianHoldings(
                id, id, CustodianHoldings.CustodianKind.PAPER, SampleValues.NOON, 1, Usd.of(cash), positions);
    }
}
