package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.BTC;
import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.SPY;
import static dev.agentpolicy.adapter.custodian.Broker.away;
import static dev.agentpolicy.adapter.custodian.Broker.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.Fault;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the market data of Alpaca says an asset costs. */
class AlpacaPricesTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String NO_PRICE = "Alpaca has no current price for SPY, so nothing was ordered.";

    private final Broker broker = new Broker();
    private final StandInMarket market = broker.standIn.market();
    private final StandInAccount account =
            broker.standIn.account("prices", "10000").hold("SPY", "3");
    private final ConnectedAccount connected = new ConnectedAccount(broker, account, PATIENT);

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void a_buy_is_priced_by_the_ask_and_a_sell_by_the_bid() {
        market.bidAndAsk("SPY", "499.5", "500.5", NOW);
        market.bidAndAsk("BTC/USD", "49990", "50010", NOW);

        assertThat(price(SPY, Action.BUY)).isEqualTo(Usd.of("500.5"));
        assertThat(price(SPY, Action.SELL)).isEqualTo(Usd.of("499.5"));
        assertThat(price(BTC, Action.BUY)).isEqualTo(Usd.of(50_010));
        assertThat(broker.standIn.calls())
                .contains("GET /v2/stocks/quotes/latest", "GET /v1beta3/crypto/us/latest/quotes")
                .noneMatch(call -> call.contains("trades"));
    }

    @ParameterizedTest
    @CsvSource({
        // bid, ask, age in seconds, slippage in percent, taken
        "499.5, 500.5, 59,  1,    ask",
        "499.5, 500.5, 75,  1,    trade",
        "0,     500.5, 0,   1,    trade",
        "499.5, 0,     0,   1,    trade",
        "495,   505,   0,   0,    ask",
        "494.9, 505.1, 0,   1,    trade",
        "494.9, 505.1, 0,   1.02, ask",
        "480,   520,   0,   4,    ask",
        "479,   521,   0,   4,    trade",
        "600,   400,   0,   1,    trade",
        "499.5, 500.5, -50, 1,    ask",
        "499.5, 500.5, -90, 1,    trade"
    })
    void a_quote_that_is_old_one_sided_or_wide_gives_way_to_the_last_trade(
            String bid, String ask, int age, String slippage, String taken) {
        market.bidAndAsk("SPY", bid, ask, Duration.ofSeconds(age));
        market.lastTrade("SPY", "500.1", Duration.ofMinutes(14));

        Usd price = connected
                .custodian
                .price(order(SPY, Action.BUY, "100"), new Fraction(new BigDecimal(slippage).movePointLeft(2)))
                .price();

        assertThat(price).isEqualTo(taken.equals("ask") ? Usd.of(ask) : Usd.of("500.1"));
    }

    @Test
    void without_a_current_quote_or_trade_there_is_no_price() {
        market.bidAndAsk("SPY", "499.5", "500.5", MINUTE.multipliedBy(2));
        market.lastTrade("SPY", "500", MINUTE.multipliedBy(16));
        assertThat(refused(() -> price(SPY, Action.BUY))).isEqualTo(NO_PRICE);

        market.silence("SPY");

        assertThat(refused(() -> price(SPY, Action.BUY))).isEqualTo(NO_PRICE);
    }

    @Test
    void while_the_market_is_closed_a_share_is_priced_by_quotes_and_trades_of_any_age_and_a_coin_is_not() {
        broker.standIn.closeMarket();
        market.bidAndAsk("SPY", "499.5", "500.5", Duration.ofDays(3));
        market.bidAndAsk("BTC/USD", "49990", "50010", MINUTE.multipliedBy(2));
        market.lastTrade("BTC/USD", "50000", MINUTE.multipliedBy(16));

        ReferencePrice old = connected.custodian.price(order(SPY, Action.BUY, "100"), Fraction.of("0.01"));

        assertThat(old.price()).isEqualTo(Usd.of("500.5"));
        assertThat(old.at()).isBefore(Instant.now().minus(Duration.ofDays(2)));
        assertThat(refused(() -> price(BTC, Action.BUY))).startsWith("Alpaca has no current price for BTC");
    }

    @Test
    void ages_are_measured_by_the_clock_of_the_broker() {
        market.skew(Duration.ofHours(2));
        market.bidAndAsk("SPY", "499.5", "500.5", NOW);

        assertThat(price(SPY, Action.BUY)).isEqualTo(Usd.of("500.5"));
    }

    @Test
    void market_data_that_does_not_answer_is_away() {
        broker.standIn
                .faults()
                .next(
                        "GET",
                        "/v2/stocks/quotes/latest",
                        Fault.SERVER_ERROR,
                        Fault.SERVER_ERROR,
                        Fault.SERVER_ERROR,
                        Fault.SERVER_ERROR);

        assertThat(away(() -> price(SPY, Action.BUY))).isEqualTo("Alpaca cannot answer (500).");
    }

    @Test
    void steps_are_those_of_the_asset() {
        market.onlyWholeUnits("AAPL");
        Instrument apple = new Instrument(new AssetSymbol("AAPL"), AssetType.TRADFI);

        ReferencePrice whole = connected.custodian.price(order(apple, Action.BUY, "1000"), Fraction.of("0.01"));
        ReferencePrice parts = connected.custodian.price(order(SPY, Action.BUY, "100"), Fraction.of("0.01"));
        ReferencePrice coin = connected.custodian.price(order(BTC, Action.BUY, "100"), Fraction.of("0.01"));

        assertThat(whole.quantityStep()).isEqualByComparingTo("1");
        assertThat(parts.quantityStep()).isEqualByComparingTo("0.000000001");
        assertThat(parts.priceStep()).isNull();
        assertThat(coin.quantityStep()).isEqualByComparingTo("0.000000001");
        assertThat(coin.priceStep()).isEqualByComparingTo("0.000000001");
    }

    @Test
    void a_buy_counts_open_buys_at_the_broker_and_no_open_sells() {
        account.leaveOpen("SPY", true, "2", "510", "by-hand");
        account.leaveOpen("SPY", false, "1", "490", "by-hand-too");

        assertThat(refused(() -> connected.custodian.price(order(SPY, Action.BUY, "8980.01"), Fraction.of("0.01"))))
                .isEqualTo("Alpaca has 8980 USD in cash that no open buy holds; the buy is for 8980.01 USD.");
        assertThat(connected
                        .custodian
                        .price(order(SPY, Action.BUY, "8980"), Fraction.of("0.01"))
                        .free())
                .isNull();
    }

    @Test
    void a_sell_is_of_what_no_open_sell_holds() {
        account.leaveOpen("SPY", false, "1", "490", "by-hand");

        assertThat(connected
                        .custodian
                        .price(order(SPY, Action.SELL, "100"), Fraction.of("0.01"))
                        .free())
                .isEqualByComparingTo("2");
        assertThat(connected
                        .custodian
                        .price(order(BTC, Action.SELL, "100"), Fraction.of("0.01"))
                        .free())
                .isEqualByComparingTo("0");
    }

    private Usd price(Instrument instrument, Action action) {
        return connected
                .custodian
                .price(order(instrument, action, "100"), Fraction.of("0.01"))
                .price();
    }

    private Order order(Instrument instrument, Action action, String amount) {
        return new Order(
                "request-1-1-a",
                connected.user,
                ConnectedAccount.CUSTODIAN,
                CustodianKind.ALPACA,
                action,
                instrument.symbol(),
                instrument.type(),
                Usd.of(amount),
                null,
                null,
                null);
    }
}
