package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.sample.SampleValues.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Open orders count as filled, and are stored with the holdings. */
class OpenOrderTest {
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol ETH = new AssetSymbol("ETH");
    private static final AssetSymbol GROVE = new AssetSymbol("GROVE");

    @Test
    void holdings_with_open_orders_are_read_as_they_were_stored() {
        CustodianHoldings holdings = holdings(open(Action.BUY, BTC, "0.10"), open(Action.SELL, ETH, "20.00000001"));

        String stored = CanonicalForm.writeStored(HoldingsDocument.STORED.write(holdings));

        assertThat(HoldingsDocument.STORED.readStored(CanonicalForm.readStored(stored)))
                .isEqualTo(holdings);
    }

    @Test
    void holdings_without_open_orders_are_stored_without_their_field() {
        assertThat(HoldingsDocument.STORED.write(holdings(open(Action.BUY, BTC, "1"))))
                .containsKey("openOrders");
        assertThat(HoldingsDocument.STORED.write(holdings())).doesNotContainKey("openOrders");
    }

    @Test
    void the_symbols_of_open_orders_become_canonical() {
        CustodianHoldings reported = holdings(
                open(Action.BUY, new AssetSymbol("DOGE-USD"), "7"), open(Action.BUY, new AssetSymbol("XBT"), "5"));

        CustodianHoldings canonical = CanonicalHoldings.of(reported, AssetResolver.ofDirectory(), null)
                .orElseThrow();

        assertThat(canonical)
                .isEqualTo(holdings(open(Action.BUY, new AssetSymbol("DOGE"), "7"), open(Action.BUY, BTC, "5")));
    }

    @Test
    void a_position_is_worth_what_it_will_be_once_its_orders_are_filled_and_never_less_than_nothing() {
        CustodianHoldings holdings = holdings(
                open(Action.BUY, BTC, "50"),
                open(Action.SELL, BTC, "20"),
                open(Action.BUY, GROVE, "3"),
                open(Action.SELL, ETH, "401"));

        assertThat(holdings.valueOf(BTC, AssetType.CRYPTO)).isEqualTo(Usd.of(330));
        assertThat(holdings.valueOf(BTC, AssetType.TRADFI)).isEqualTo(Usd.ZERO);
        assertThat(holdings.valueOf(GROVE, AssetType.CRYPTO)).isEqualTo(Usd.of(3));
        assertThat(holdings.valueOf(ETH, AssetType.CRYPTO)).isEqualTo(Usd.ZERO);
    }

    @Test
    void buys_hold_cash_and_sells_do_not_free_any() {
        assertThat(holdings(open(Action.BUY, BTC, "50"), open(Action.SELL, ETH, "20"))
                        .freeCash())
                .isEqualTo(Usd.of(50));
        assertThat(holdings(open(Action.BUY, BTC, "100.01")).freeCash()).isEqualTo(Usd.of("-0.01"));
    }

    @Test
    void a_snapshot_has_open_orders_filled_with_the_same_total_and_peak() {
        Portfolio before = Portfolio.first(holdings(), NOON);

        Portfolio after =
                before.withOpenOrders("one", List.of(open(Action.BUY, BTC, "50"), open(Action.SELL, ETH, "20")), NOON);

        Snapshot snapshot = after.snapshot().orElseThrow();
        assertThat(snapshot.crypto()).isEqualTo(Usd.of(730));
        assertThat(snapshot.cash()).isEqualTo(Usd.of(70));
        assertThat(snapshot.total()).isEqualTo(before.snapshot().orElseThrow().total());
        assertThat(snapshot.peak()).isEqualTo(before.peak());
        assertThat(after.revision()).isEqualTo(2);
        assertThat(after.total()).isEqualTo(before.total());
    }

    @Test
    void open_orders_never_change_the_total() {
        Portfolio selling = Portfolio.first(holdings(open(Action.SELL, ETH, "1000")), NOON);
        Portfolio buying = Portfolio.first(holdings(open(Action.BUY, BTC, "80"), open(Action.BUY, GROVE, "70")), NOON);

        Snapshot sold = selling.snapshot().orElseThrow();
        Snapshot bought = buying.snapshot().orElseThrow();

        assertThat(sold.total()).isEqualTo(Usd.of(800));
        assertThat(sold.cash()).as("what 10 ETH are worth now").isEqualTo(Usd.of(500));
        assertThat(bought.total()).isEqualTo(Usd.of(800));
        assertThat(bought.crypto()).as("no more than the cash buys").isEqualTo(Usd.of(800));
        assertThat(buying.held(GROVE, AssetType.CRYPTO)).isEqualTo(Usd.of(20));
    }

    @Test
    void what_is_being_bought_counts_as_held_in_its_sleeve_and_what_is_being_sold_does_not() {
        Portfolio buying = Portfolio.first(holdings(open(Action.BUY, GROVE, "3")), NOON);
        Portfolio selling = Portfolio.first(holdings(open(Action.SELL, GROVE, "3")), NOON);

        assertThat(buying.heldIn(GROVE)).isEqualTo(AssetType.CRYPTO);
        assertThat(buying.held(GROVE, AssetType.CRYPTO)).isEqualTo(Usd.of(3));
        assertThat(selling.heldIn(GROVE)).isNull();
        assertThat(selling.held(GROVE, AssetType.CRYPTO)).isEqualTo(Usd.ZERO);
    }

    private static OpenOrder open(Action action, AssetSymbol symbol, String rest) {
        return new OpenOrder("web-1", action, symbol, AssetType.CRYPTO, Usd.of(rest));
    }

    /** 300 USD of BTC, 400 of ETH and 100 in cash. */
    private static CustodianHoldings holdings(OpenOrder... open) {
        return new CustodianHoldings(
                "one",
                "One",
                CustodianKind.ALPACA,
                NOON,
                1,
                Usd.of(100),
                List.of(
                        new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(300)),
                        new Position(ETH, AssetType.CRYPTO, BigDecimal.TEN, Usd.of(40))),
                List.of(open));
    }
}
