package dev.agentpolicy.domain.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceBoundTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final BigDecimal NANO = BigDecimal.ONE.movePointLeft(9);

    @ParameterizedTest
    @CsvSource({
        // action, amount, reference, slippage, price step, quantity step, limit, quantity
        "BUY,  1000,   500,      0.01,  ,       0.000000001, 505,     1.980198019",
        "SELL, 1000,   500,      0.01,  ,       0.000000001, 495,     2",
        "BUY,  1000,   123.45,   0.005, ,       1,           124.06,  8",
        "SELL, 1000,   123.45,   0.005, ,       1,           122.84,  8",
        "BUY,  10,     0.995,    0.01,  ,       1,           1,       10",
        "BUY,  10,     0.5,      0.003, ,       1,           0.5015,  19",
        "SELL, 10,     0.5,      0.003, ,       1,           0.4985,  20",
        "SELL, 10,     1.004,    0.01,  ,       1,           0.994,   9",
        "BUY,  300,    30000,    0,     1,      0.0001,      30000,   0.01",
        "BUY,  300,    30000.7,  0.01,  1,      0.0001,      30300,   0.0099",
        "SELL, 300,    30000.7,  0.01,  1,      0.0001,      29701,   0.0099",
        "BUY,  1,      0.000001, 0,     ,       1,           0.0001,  10000",
        "SELL, 1,      100,      1,     ,       0.000000001, 0.0001,  0.01"
    })
    void a_bound_lies_on_a_step_and_never_beyond_the_slippage(
            Action action,
            String amount,
            String reference,
            String slippage,
            @Nullable BigDecimal priceStep,
            BigDecimal quantityStep,
            String limit,
            String quantity) {
        PriceBound bound = bound(action, amount, slippage, market(reference, priceStep, quantityStep, null));

        assertThat(bound.limit()).isEqualTo(Usd.of(limit));
        assertThat(bound.quantity()).isEqualByComparingTo(quantity);
        assertThat(bound.allows(action, Usd.of(limit))).isTrue();
    }

    @Test
    void a_buy_never_costs_more_than_its_amount_whatever_the_numbers_are() {
        Random random = new Random(51);
        for (int i = 0; i < 20_000; i++) {
            BigDecimal price = BigDecimal.valueOf(1 + random.nextInt(1_000_000_000), 2 + random.nextInt(4));
            BigDecimal amount = BigDecimal.valueOf(1 + random.nextInt(100_000_000), 2);
            String slippage = BigDecimal.valueOf(random.nextInt(100_000), 6).toPlainString();
            ReferencePrice market = market(price.toPlainString(), null, NANO, null);
            PriceBound bound;
            try {
                bound = bound(Action.BUY, amount.toPlainString(), slippage, market);
            } catch (CustodianFailure tooSmall) {
                continue;
            }
            BigDecimal most = price.multiply(BigDecimal.ONE.add(new BigDecimal(slippage)));
            assertThat(bound.quantity().multiply(bound.limit().value())).isLessThanOrEqualTo(amount);
            if (most.compareTo(new BigDecimal("0.0001")) >= 0) {
                assertThat(bound.limit().value()).isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void a_sell_is_of_no_more_than_is_held() {
        PriceBound bound = bound(Action.SELL, "1000", "0.01", market("500", null, NANO, new BigDecimal("1.5")));

        assertThat(bound.quantity()).isEqualByComparingTo("1.5");
        assertThat(bound(Action.SELL, "1000", "0.01", market("500", null, BigDecimal.ONE, new BigDecimal("1.5")))
                        .quantity())
                .isEqualByComparingTo("1");
    }

    @Test
    void less_than_one_step_is_not_ordered() {
        assertThatThrownBy(() -> bound(Action.BUY, "504.99", "0.01", market("500", null, BigDecimal.ONE, null)))
                .isInstanceOf(CustodianFailure.class)
                .hasMessage("At a price of 505 USD, the order is for less than the 1 SPY that can be traded.");
        assertThatThrownBy(() -> bound(Action.SELL, "1000", "0.01", market("500", null, NANO, BigDecimal.ZERO)))
                .isInstanceOf(CustodianFailure.class);
    }

    @Test
    void a_custodian_that_takes_amounts_fills_them_at_its_list_price_between_two_steps() {
        PriceBound buy = bound(Action.BUY, "1000", "0", market("100.005", null, null, null));
        PriceBound sell = bound(Action.SELL, "1000", "0", market("100.005", null, null, null));

        assertThat(buy.quantity()).isNull();
        assertThat(buy.limit()).isEqualTo(Usd.of("100.005"));
        assertThat(sell.limit()).isEqualTo(Usd.of("100.005"));
        assertThat(bound(Action.BUY, "1000", "0.01", market("100.005", null, null, null))
                        .limit())
                .isEqualTo(Usd.of(101));
    }

    @Test
    void slippage_is_positive_where_the_price_was_worse_than_the_reference() {
        PriceBound buy = bound(Action.BUY, "1000", "0.01", market("500", null, NANO, null));
        PriceBound sell = bound(Action.SELL, "1000", "0.01", market("500", null, NANO, null));

        assertThat(buy.slippage(Action.BUY, Usd.of("502.5"))).isEqualTo(Fraction.of("0.005"));
        assertThat(buy.slippage(Action.BUY, Usd.of("499"))).isEqualTo(Fraction.of("-0.002"));
        assertThat(sell.slippage(Action.SELL, Usd.of("499"))).isEqualTo(Fraction.of("0.002"));
    }

    private static ReferencePrice market(
            String price,
            @Nullable BigDecimal priceStep,
            @Nullable BigDecimal quantityStep,
            @Nullable BigDecimal free) {
        return new ReferencePrice(Usd.of(price), NOON, priceStep, quantityStep, free);
    }

    private static PriceBound bound(Action action, String amount, String slippage, ReferencePrice market) {
        Order wanted = new Order(
                "request-1-1-a",
                new UserId(new UUID(0, 1)),
                "alpaca",
                CustodianKind.ALPACA,
                action,
                new AssetSymbol("SPY"),
                AssetType.TRADFI,
                Usd.of(amount),
                null,
                null,
                null);
        return PriceBound.of(wanted, Fraction.of(slippage), market, NOON);
    }
}
