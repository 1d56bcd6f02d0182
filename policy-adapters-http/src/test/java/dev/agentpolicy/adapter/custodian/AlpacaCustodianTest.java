package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.BTC;
import static dev.agentpolicy.adapter.custodian.Broker.IMPATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.SPY;
import static dev.agentpolicy.adapter.custodian.Broker.away;
import static dev.agentpolicy.adapter.custodian.Broker.refused;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.agentpolicy.alpaca.Fault;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.port.InMemoryCustodianCredentials;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Orders and syncs of an account at the stand-in. */
class AlpacaCustodianTest {
    private final Broker broker = new Broker();
    private final StandInAccount account = broker.standIn.account("one", "10000");
    private final ConnectedAccount connected = new ConnectedAccount(broker, account, PATIENT);

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void an_order_is_filled_and_its_fill_names_it() {
        Order order = connected.order("request-1-1-a", BTC, Action.BUY, "123.459");

        OrderReport placed = connected.place(order);
        CustodianReport report = connected.sync(order);

        assertThat(placed.clientOrderId()).isEqualTo("request-1-1-a");
        assertThat(report.orders())
                .singleElement()
                .isEqualTo(new OrderReport(
                        "request-1-1-a", placed.externalId(), new OrderState.Filled(), new BigDecimal("0.00246918")));
        Fill fill = only(report);
        assertThat(fill.clientOrderId()).isEqualTo("request-1-1-a");
        assertThat(fill.id()).isEqualTo(account.fillIds().get(0));
        assertThat(fill.symbol()).isEqualTo(BTC.symbol());
        assertThat(fill.assetType()).isEqualTo(AssetType.CRYPTO);
        assertThat(fill.amountUsd()).isEqualTo(Usd.of("123.459"));
        assertThat(fill.price()).isEqualTo(Usd.of("50000"));
        assertThat(report.holdings().cash()).isEqualTo(Usd.of("9876.541"));
        assertThat(report.holdings().positions()).singleElement().satisfies(position -> {
            assertThat(position.symbol()).isEqualTo(BTC.symbol());
            assertThat(position.quantity()).isEqualByComparingTo("0.00246918");
        });
        assertThat(report.holdings().openOrders()).isEmpty();
        assertThat(report.isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"BTC", "BTCUSD", "BTC/USD"})
    void every_spelling_of_a_coin_is_the_same_coin(String symbol) {
        Instrument spelled = new Instrument(new AssetSymbol(symbol), AssetType.CRYPTO);

        connected.place(connected.order("spelled", spelled, Action.BUY, "100"));

        assertThat(only(connected.sync()).symbol()).isEqualTo(BTC.symbol());
        assertThat(account.units("BTC/USD")).isEqualByComparingTo("0.002");
    }

    @Test
    void an_order_waits_for_the_market_and_is_filled_when_it_opens() {
        broker.standIn.closeMarket();
        Order order = connected.order("early", SPY, Action.BUY, "100");

        connected.place(order);
        CustodianReport waiting = connected.sync(order);
        broker.standIn.openMarket();
        CustodianReport opened = connected.sync(order);

        assertThat(state(waiting)).isEqualTo(new OrderState.Open());
        assertThat(waiting.fills()).isEmpty();
        assertThat(waiting.holdings().cash()).isEqualTo(Usd.of("10000"));
        assertThat(waiting.holdings().openOrders())
                .describedAs("open orders that are not ours")
                .isEmpty();
        assertThat(state(opened)).isEqualTo(new OrderState.Filled());
        assertThat(only(opened).quantity()).isEqualByComparingTo("0.2");
    }

    @Test
    void a_part_is_filled_and_the_rest_cancelled() {
        broker.standIn.market().execution(Execution.BY_HAND);
        Order order = connected.order("part", SPY, Action.BUY, "1000");
        connected.place(order);
        account.fill("part", "0.25");

        CustodianReport partly = connected.sync(order);
        OrderReport cancelled = connected.cancel(order);
        CustodianReport after = connected.sync(order);

        assertThat(state(partly)).isEqualTo(new OrderState.PartiallyFilled());
        assertThat(cancelled.state()).isEqualTo(new OrderState.Cancelled());
        assertThat(cancelled.filledQuantity()).isEqualByComparingTo("0.5");
        assertThat(after.orders()).containsExactly(cancelled);
        assertThat(only(after).amountUsd()).isEqualTo(Usd.of("250"));
    }

    @Test
    void an_order_that_is_over_stays_as_it_is_when_cancelled() {
        Order order = connected.order("done", SPY, Action.BUY, "100");
        connected.place(order);

        assertThat(connected.cancel(order).state()).isEqualTo(new OrderState.Filled());
        assertThat(broker.standIn.calls()).noneMatch(call -> call.startsWith("DELETE"));
    }

    @Test
    void an_unknown_order_cannot_be_cancelled_and_is_missing_in_a_report() {
        Order order = connected.order("never", SPY, Action.BUY, "100");

        assertThat(refused(() -> connected.cancel(order))).isEqualTo("Alpaca does not know the order.");
        assertThat(connected.sync(order).orders()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"rejected, rejected", "expired, expired", "canceled, cancelled"})
    void an_order_that_the_broker_ends_is_over(String end, String wireName) {
        broker.standIn.market().execution(Execution.BY_HAND);
        Order order = connected.order("ends", SPY, Action.BUY, "100");
        connected.place(order);
        account.end("ends", end);

        OrderState state = state(connected.sync(order));

        assertThat(state.wireName()).isEqualTo(wireName);
        assertThat(state.isOver()).isTrue();
    }

    @Test
    void the_broker_refuses_in_its_own_words() {
        assertThat(refused(() -> connected.place(connected.order("dear", SPY, Action.BUY, "10001"))))
                .isEqualTo("Alpaca refused the order: insufficient buying power.");
        assertThat(refused(() -> connected.place(connected.order("small", SPY, Action.BUY, "0.99"))))
                .isEqualTo("Alpaca refused the order: cost basis must be >= minimal amount of order 1.");
    }

    @Test
    void assets_that_cannot_be_ordered_are_refused() {
        Instrument unknown = new Instrument(new AssetSymbol("NOPE"), AssetType.TRADFI);
        broker.standIn.market().halt("SPY");

        assertThat(refused(() -> connected.place(connected.order("a", unknown, Action.BUY, "5"))))
                .isEqualTo("Alpaca does not know NOPE.");
        assertThat(refused(() -> connected.place(connected.order("c", SPY, Action.BUY, "5"))))
                .isEqualTo("SPY cannot be traded at Alpaca.");
        assertThat(account.clientOrderIds()).isEmpty();
    }

    @Test
    void an_order_that_is_there_is_found_although_its_asset_was_halted_since() {
        broker.standIn.market().execution(Execution.BY_HAND);
        Order order = connected.order("halted", SPY, Action.BUY, "100");
        connected.place(order);
        broker.standIn.market().halt("SPY");

        assertThat(connected.place(order).state()).isEqualTo(new OrderState.Open());
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void an_order_whose_sending_fails_exists_once(Fault fault) {
        ConnectedAccount impatient = new ConnectedAccount(broker, account, IMPATIENT);
        broker.standIn.faults().next("POST", "/v2/orders", fault);
        Order order = impatient.order("doubtful", SPY, Action.BUY, "100");

        impatient.place(order);
        impatient.place(order);

        assertThat(account.clientOrderIds()).containsExactly("doubtful");
        assertThat(account.cash()).isEqualByComparingTo("9900");
    }

    @Test
    void an_order_that_may_be_there_is_not_refused_for_its_credentials() {
        Order order = connected.order("locked-out", SPY, Action.BUY, "100");
        connected.place(order);
        connected.connect(BrokerEnvironment.PAPER, account.keyId(), "wrong-secret");

        away(() -> connected.place(order));
        away(() -> connected.cancel(order));
        connected.connect(BrokerEnvironment.LIVE, account.keyId(), account.secretKey());
        away(() -> connected.place(order));
        assertThat(account.clientOrderIds()).containsExactly("locked-out");
    }

    @Test
    void wrong_credentials_are_refused_and_never_repeated_to_anyone() {
        connected.connect(BrokerEnvironment.PAPER, account.keyId(), "wrong-secret");

        String reason = refused(() -> connected.sync());

        assertThat(reason).isEqualTo("Alpaca refused the credentials: request is not authorized.");
        assertThat(reason + connected.custodian).doesNotContain(account.keyId(), "wrong-secret");
    }

    @Test
    void a_custodian_without_credentials_is_refused() {
        connected.disconnect();

        assertThat(refused(() -> connected.sync())).isEqualTo("There are no credentials for alpaca.");
        refused(() -> connected.place(connected.order("a", SPY, Action.BUY, "5")));
        assertThat(broker.standIn.calls()).isEmpty();
    }

    @Test
    void an_account_with_real_money_is_not_asked_for_unless_it_is_allowed() {
        connected.connect(BrokerEnvironment.LIVE, account.keyId(), account.secretKey());

        assertThat(refused(() -> connected.sync()))
                .isEqualTo("Accounts with real money are not allowed here; the operator can allow them.");
        assertThat(broker.standIn.calls()).isEmpty();
    }

    @Test
    void accounts_that_the_service_cannot_use_are_refused() {
        account.hold("SPY", "-3");
        assertThat(refused(() -> connected.sync()))
                .isEqualTo("The account at Alpaca is short of SPY; short positions are not supported.");

        account.status("ACCOUNT_CLOSED");
        assertThat(refused(() -> connected.sync()))
                .isEqualTo("The account at Alpaca is not active; its status is ACCOUNT_CLOSED.");

        account.status("ACTIVE");
        account.currency("EUR");
        assertThat(refused(() -> connected.sync()))
                .isEqualTo("The account at Alpaca is kept in EUR; only USD is supported.");

        StandInAccount borrower = broker.standIn.account("borrower", "-0.01");
        connected.connect(BrokerEnvironment.PAPER, borrower.keyId(), borrower.secretKey());
        assertThat(refused(() -> connected.sync()))
                .isEqualTo("The account at Alpaca owes cash; accounts that borrow are not supported.");
    }

    @Test
    void a_position_without_a_price_makes_the_broker_away() {
        account.hold("SPY", "3");
        broker.standIn.market().quote("SPY", false);

        assertThat(away(() -> connected.sync())).isEqualTo("Alpaca has no price for SPY.");

        broker.standIn.market().quote("SPY", true);
        assertThat(connected.sync().holdings().total()).isEqualTo(Usd.of("11500"));
    }

    @Test
    void what_the_user_trades_at_the_broker_is_reported_with_the_broker_s_own_order_id() {
        account.tradeByHand("BTC/USD", true, "0.1");
        account.tradeByHand("SPY", true, "2");

        CustodianReport report = connected.sync();

        assertThat(report.fills()).extracting(Fill::symbol).containsExactlyInAnyOrder(BTC.symbol(), SPY.symbol());
        assertThat(report.fills()).extracting(Fill::clientOrderId).hasSameElementsAs(account.clientOrderIds());
        assertThat(report.orders()).isEmpty();
        assertThat(report.holdings().cash()).isEqualTo(Usd.of("4000"));
    }

    @Test
    void a_trade_of_one_coin_for_another_is_worth_what_the_broker_says_of_either() {
        account.hold("BTC/USD", "0.5");
        broker.standIn.market().coin("ETH/BTC", "0.05");
        account.tradeByHand("ETH/BTC", true, "2");

        Fill fill = only(connected.sync());

        assertThat(fill.symbol()).isEqualTo(new AssetSymbol("ETH"));
        assertThat(fill.amountUsd()).isEqualTo(Usd.of("5000"));
    }

    @Test
    void open_orders_of_others_hold_what_is_not_filled_of_them() {
        broker.standIn.market().execution(Execution.BY_HAND);
        account.hold("SPY", "4").hold("AAPL", "3");
        account.leaveOpen("BTC/USD", "300", "amount");
        account.fill("amount", "0.5");
        account.leaveOpen("AAPL", true, "2", null, "units");
        account.leaveOpen("SPY", true, "3", "450", "limited");
        account.leaveOpen("SPY", false, "1", "700", "sale");

        CustodianHoldings holdings = connected.sync().holdings();

        assertThat(holdings.openOrders())
                .containsExactlyInAnyOrder(
                        open("amount", Action.BUY, "BTC", AssetType.CRYPTO, "150"),
                        open("units", Action.BUY, "AAPL", AssetType.TRADFI, "400"),
                        open("limited", Action.BUY, "SPY", AssetType.TRADFI, "1350"),
                        open("sale", Action.SELL, "SPY", AssetType.TRADFI, "500"));
    }

    @Test
    void two_sales_of_which_only_one_can_be_filled_count_up_to_what_is_held() {
        account.hold("SPY", "4");
        account.leaveOpen("SPY", false, "4", "700", "take-profit");
        account.leaveOpen("SPY", false, "4", "300", "stop-loss");

        CustodianHoldings holdings = connected.sync().holdings();

        assertThat(holdings.openOrders().stream().map(OpenOrder::rest).reduce(Usd.ZERO, Usd::plus))
                .isEqualTo(Usd.of("2000"));
    }

    @Test
    void an_open_order_that_nobody_can_value_makes_the_broker_away() {
        account.leaveOpen("AAPL", true, "2", null, "units");

        assertThat(away(() -> connected.sync()))
                .isEqualTo("What the open order for AAPL at Alpaca will cost is not known.");
    }

    @Test
    void everything_is_read_again_when_something_happens_in_between() {
        account.hold("SPY", "4");
        broker.standIn.before("GET", "/v2/positions", () -> account.tradeByHand("SPY", false, "1"));

        CustodianReport report = connected.sync();

        assertThat(report.fills()).hasSize(1);
        assertThat(report.holdings().cash()).isEqualTo(Usd.of("10500"));
        assertThat(report.holdings().positions())
                .singleElement()
                .satisfies(position -> assertThat(position.quantity()).isEqualByComparingTo("3"));
        assertThat(Collections.frequency(broker.standIn.calls(), "GET /v2/positions"))
                .isEqualTo(2);
    }

    @Test
    void an_account_that_never_stands_still_is_away() {
        account.hold("SPY", "4");
        for (int i = 0; i < 10; i++) {
            broker.standIn.before("GET", "/v2/positions", () -> account.tradeByHand("SPY", false, "0.01"));
        }

        assertThat(away(() -> connected.sync())).isEqualTo("The account at Alpaca changed while it was read.");
    }

    @Test
    void a_report_waits_for_the_fills_that_cash_and_positions_show_already() {
        Order order = connected.order("slow-books", SPY, Action.BUY, "100");
        connected.place(order);
        account.listLatestFillLate(2);

        CustodianReport report = connected.sync(order);

        assertThat(only(report).clientOrderId()).isEqualTo("slow-books");
        account.listLatestFillLate(100);
        assertThat(away(() -> connected.sync(order))).isEqualTo("Alpaca does not list all fills of an order yet.");
    }

    @Test
    void fills_are_read_from_the_time_asked_for_with_some_before_it() {
        Order order = connected.order("before", SPY, Action.BUY, "100");
        connected.place(order);

        assertThat(connected.sync(Instant.now().plusSeconds(60)).fills()).hasSize(1);
        assertThat(connected.sync(Instant.now().plusSeconds(3_600)).fills()).isEmpty();
        assertThat(connected.sync(Instant.now().plusSeconds(3_600), order).orders())
                .describedAs("an order whose fills are from before that time")
                .hasSize(1);
    }

    @Test
    void a_broker_that_fails_for_a_while_is_away_and_then_back() {
        ConnectedAccount impatient = new ConnectedAccount(broker, account, IMPATIENT);
        Fault[] faults = Collections.nCopies(20, Fault.SERVER_ERROR).toArray(Fault[]::new);
        broker.standIn.faults().next("GET", "/v2/account", faults);

        assertThat(away(() -> impatient.sync())).isEqualTo("Alpaca cannot answer (500).");

        broker.standIn.faults().stop();
        assertThat(impatient.sync().holdings().cash()).isEqualTo(Usd.of("10000"));
    }

    @Test
    void an_account_over_its_rate_limit_is_away() {
        account.limitCallsPerMinute(3);

        assertThat(away(() -> connected.sync()))
                .isEqualTo("Alpaca answers no more calls of this account for now (429).");
    }

    @Test
    void the_time_of_a_report_is_when_its_reading_began() {
        Instant before = Instant.now();
        CustodianReport report = connected.sync();

        assertThat(report.holdings().syncedAt()).isBetween(before.minusMillis(1), Instant.now());
        assertThat(report.holdings().name()).isEqualTo("My account");
        assertThat(report.holdings().id()).isEqualTo("alpaca");
    }

    @Test
    void many_fills_are_found_their_orders_by_a_few_calls() {
        for (int i = 0; i < 150; i++) {
            account.tradeByHand("SPY", true, "0.01");
        }

        assertThat(connected.sync().fills()).hasSize(150).noneMatch(fill -> fill.clientOrderId() == null);
        connected.sync();

        assertThat(broker.standIn.calls()).hasSize(8 + 1 + 1 + 8);
    }

    @Test
    void more_fills_than_fit_a_report_are_told_in_several() {
        Instant since = Instant.now().minusSeconds(7_200);
        broker.standIn.market().skew(Duration.ofHours(-1));
        trade(1_000);
        broker.standIn.market().skew(Duration.ZERO);
        trade(20);

        CustodianReport first = connected.sync(since);
        CustodianReport second = connected.sync(Instant.now().minusSeconds(60));

        assertThat(first.isComplete()).isFalse();
        assertThat(first.fills()).hasSize(1_000);
        assertThat(second.isComplete()).isTrue();
        assertThat(second.fills()).hasSize(20);
    }

    @Test
    void many_fills_at_one_time_are_told_together_since_the_next_report_would_begin_with_them_again() {
        trade(1_050);

        CustodianReport report = connected.sync(Instant.now().minusSeconds(600));

        assertThat(report.isComplete()).isTrue();
        assertThat(report.fills()).hasSize(1_050);
    }

    private void trade(int times) {
        for (int i = 0; i < times; i++) {
            account.tradeByHand("SPY", true, "0.001");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-240, 3_600})
    void the_broker_s_clock_may_differ(int seconds) {
        Instant connectedAt = Instant.now();
        broker.standIn.market().skew(Duration.ofSeconds(seconds));
        Order order = connected.order("skewed", SPY, Action.BUY, "100");
        connected.place(order);

        CustodianReport report = connected.sync(connectedAt, order);

        assertThat(only(report).clientOrderId()).isEqualTo("skewed");
        assertThat(report.holdings().syncedAt()).isBetween(connectedAt.minusMillis(1), Instant.now());
    }

    @ParameterizedTest
    @CsvSource({
        "symbol, SPY.X, limit buy of 0.2 SPY.X at 500",
        "notional, 99.99, limit buy of 99.99 USD of SPY at 500",
        "qty, 0.3, limit buy of 0.3 SPY at 500",
        "limit_price, 500.01, limit buy of 0.2 SPY at 500.01",
        "side, sell, limit sell of 0.2 SPY at 500",
        "type, market, market buy of 0.2 SPY at 500"
    })
    void an_order_that_the_broker_took_is_ours_however_its_echo_is_worded(String member, String value, String words) {
        broker.standIn.market().execution(Execution.BY_HAND);
        broker.standIn.wording(node -> orders(node, order -> order.put(member, value)));
        Order order = connected.order("worded", SPY, Action.BUY, "100");

        OrderReport placed = connected.place(order);
        OrderReport again = connected.place(order);
        CustodianReport report = connected.sync(order);

        assertThat(account.clientOrderIds()).containsExactly("worded");
        assertThat(placed.warning())
                .isEqualTo("Alpaca has this order as " + words + ", and not as limit buy of 0.2 SPY at 500.");
        assertThat(again.warning()).isEqualTo(placed.warning());
        assertThat(report.orders()).singleElement().isEqualTo(again);
        assertThat(connected.cancel(order).state()).isEqualTo(new OrderState.Cancelled());
        assertThat(account.openClientOrderIds()).isEmpty();
    }

    @Test
    void an_order_that_the_broker_took_is_ours_although_its_echo_has_an_amount_in_place_of_the_quantity() {
        broker.standIn.wording(
                node -> orders(node, order -> order.put("notional", "100").putNull("qty")));
        Order order = connected.order("by-amount", SPY, Action.BUY, "100");

        OrderReport placed = connected.place(order);

        assertThat(placed.warning()).contains("limit buy of 100 USD of SPY at 500, and not as");
        assertThat(connected.sync(order).orders())
                .singleElement()
                .extracting(OrderReport::state)
                .isEqualTo(new OrderState.Filled());
        assertThat(account.clientOrderIds()).containsExactly("by-amount");
    }

    @Test
    void an_answer_about_another_order_says_nothing_of_ours() {
        Order order = connected.order("asked-for", SPY, Action.BUY, "100");
        connected.place(order);
        broker.standIn.wording(node -> orders(node, other -> other.put("client_order_id", "another")));

        away(() -> connected.place(order));
        away(() -> connected.cancel(order));
        away(() -> connected.sync(order));
        assertThat(account.clientOrderIds()).containsExactly("asked-for");
    }

    @Test
    void the_id_of_an_asset_is_not_its_symbol() {
        String id = UUID.nameUUIDFromBytes("AAPL".getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        Instrument disguised = new Instrument(new AssetSymbol(id), AssetType.TRADFI);

        assertThat(refused(() -> connected.place(connected.order("disguised", disguised, Action.BUY, "100"))))
                .isEqualTo("At Alpaca, " + disguised.symbol() + " is another asset than the one of this order.");
        assertThat(account.clientOrderIds()).isEmpty();
    }

    @Test
    void only_dollar_pairs_are_ordered() {
        broker.standIn.market().coin("ETH/BTC", "0.05");
        Instrument pair = new Instrument(new AssetSymbol("ETH/BTC"), AssetType.CRYPTO);

        assertThat(refused(() -> connected.place(connected.order("pair", pair, Action.BUY, "100"))))
                .isEqualTo("ETH/BTC is not traded against US dollars, and nothing else is ordered.");
        assertThat(account.clientOrderIds()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "qty, -5",
        "price, -500",
        "qty, 1e64",
        "price, \u0661",
        "price, 0",
        "qty, 0",
        "price, 1000000000000.01",
        "qty, 1000000000000001",
        "price, 0.12345678901234567890123456789012345678901",
        "price, +1",
        "qty, ''"
    })
    void a_number_that_no_fill_has_is_never_believed(String member, String value) {
        account.tradeByHand("SPY", true, "2");
        broker.standIn.wording(node -> fills(node, fill -> fill.put(member, value)));

        assertThat(away(() -> connected.sync()))
                .isEqualTo("Alpaca's answer cannot be read: the answer has no usable " + member + ".");

        broker.standIn.wording(node -> node);
        assertThat(only(connected.sync()).quantity()).isEqualByComparingTo("2");
    }

    @ParameterizedTest
    @CsvSource({"current_price, 0", "current_price, -1", "qty, 1e3", "qty, \u0661", "current_price, 1000000000001"})
    void a_number_that_no_position_has_is_never_believed(String member, String value) {
        account.hold("SPY", "2");
        broker.standIn.wording(node -> each(node, "avg_entry_price", position -> position.put(member, value)));

        assertThat(away(() -> connected.sync())).endsWith("the answer has no usable " + member + ".");
    }

    @Test
    void more_decimals_than_ours_are_rounded() {
        account.hold("SPY", "2.0000000000000000001");
        broker.standIn.wording(
                node -> each(node, "avg_entry_price", it -> it.put("current_price", "500.0000000000000000001")));

        CustodianHoldings holdings = connected.sync().holdings();

        assertThat(holdings.positions()).singleElement().satisfies(held -> {
            assertThat(held.quantity()).isEqualByComparingTo("2");
            assertThat(held.price()).isEqualTo(Usd.of(500));
        });
    }

    @Test
    void a_fill_that_is_short_of_its_order_by_one_step_is_all_of_it() {
        Order order = connected.order("short", SPY, Action.BUY, "100");
        connected.place(order);
        broker.standIn.wording(node -> orders(node, it -> it.put("filled_qty", "0.200000001")));

        assertThat(state(connected.sync(order))).isEqualTo(new OrderState.Filled());

        broker.standIn.wording(node -> orders(node, it -> it.put("filled_qty", "0.200000002")));
        assertThat(away(() -> connected.sync(order))).isEqualTo("Alpaca does not list all fills of an order yet.");
    }

    @Test
    void a_fill_that_is_dated_after_the_broker_s_clock_is_left_out_and_the_sync_goes_on() {
        account.tradeByHand("SPY", true, "2");
        account.tradeByHand("AAPL", true, "1");
        String hostile = account.fillIds().get(0);
        broker.standIn.wording(node -> fills(node, fill -> {
            if (fill.path("id").asText().equals(hostile)) {
                fill.put("transaction_time", "2099-01-01T00:00:00Z");
            }
        }));

        CustodianReport report = connected.sync();

        assertThat(only(report).id()).isEqualTo(account.fillIds().get(1));
        assertThat(report.warning())
                .matches("A fill of [12] (SPY|AAPL) is dated 2099-01-01T00:00:00Z, later than Alpaca's clock;"
                        + " it is left out.");
        assertThat(connected.sync().warning()).isEqualTo(report.warning());
    }

    @ParameterizedTest
    @CsvSource({"59, 1", "61, 0"})
    void a_fill_may_be_dated_a_minute_after_the_broker_s_clock(int seconds, int reported) {
        broker.standIn.market().skew(Duration.ofHours(-1));
        account.tradeByHand("SPY", true, "2");
        Instant dated = Instant.now().minus(Duration.ofHours(1)).plusSeconds(seconds);
        broker.standIn.wording(node -> fills(node, fill -> fill.put("transaction_time", dated.toString())));

        assertThat(connected.sync().fills()).hasSize(reported);
    }

    @Test
    void a_broker_s_clock_that_cannot_be_is_not_believed() {
        account.tradeByHand("SPY", true, "2");
        broker.standIn.wording(
                node -> each(node, "timestamp", clock -> clock.put("timestamp", "2099-01-01T00:00:00Z")));

        assertThat(away(() -> connected.sync()))
                .isEqualTo("Alpaca's clock is at 2099-01-01T00:00:00Z, which cannot be.");
    }

    @Test
    void a_fill_of_another_asset_than_its_order_is_reported_as_what_it_is() {
        connected.place(connected.order("spy", SPY, Action.BUY, "100"));
        broker.standIn.wording(node -> fills(node, fill -> fill.put("symbol", "AAPL")));

        assertThat(only(connected.sync()).symbol()).isEqualTo(new AssetSymbol("AAPL"));
    }

    private static JsonNode orders(JsonNode answer, Consumer<ObjectNode> words) {
        return each(answer, "client_order_id", words);
    }

    private static JsonNode fills(JsonNode answer, Consumer<ObjectNode> words) {
        return each(answer, "activity_type", words);
    }

    /** Words the objects of an answer that have a member. */
    private static JsonNode each(JsonNode answer, String member, Consumer<ObjectNode> words) {
        JsonNode copy = answer.deepCopy();
        (copy.isArray() ? copy : List.of(copy)).forEach(node -> {
            if (node.has(member)) {
                words.accept((ObjectNode) node);
            }
        });
        return copy;
    }

    @Test
    void a_redirect_is_not_followed_and_its_target_learns_nothing() throws IOException {
        try (Broker elsewhere = new Broker()) {
            HttpServer redirecting = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            redirecting.createContext("/", exchange -> {
                exchange.getResponseHeaders().set("Location", elsewhere.standIn.address() + exchange.getRequestURI());
                exchange.sendResponseHeaders(307, -1);
                exchange.close();
            });
            redirecting.start();
            String address = "http://127.0.0.1:" + redirecting.getAddress().getPort();
            AlpacaTransport transport = new AlpacaTransport(URI.create(address), PATIENT, InstantSource.system());
            AlpacaCustodian brokers = new AlpacaCustodian(
                    new AlpacaEndpoints(transport, Optional.empty(), transport),
                    new InMemoryCustodianCredentials(new InMemorySyncSchedule()),
                    InstantSource.system());

            String reason = away(() -> brokers.account(
                    CustodianKind.ALPACA,
                    new BrokerCredentials(BrokerEnvironment.PAPER, account.keyId(), account.secretKey())));
            redirecting.stop(0);

            assertThat(reason).contains("redirect").doesNotContain(account.keyId(), account.secretKey());
            assertThat(elsewhere.standIn.calls()).isEmpty();
        }
    }

    @Test
    void no_credential_is_in_a_reply_or_a_log_whatever_fails() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try {
            ConnectedAccount impatient = new ConnectedAccount(broker, account, Broker.attempts(1, IMPATIENT));
            List<String> said = new ArrayList<>();
            for (Fault fault : Fault.values()) {
                broker.standIn
                        .faults()
                        .next(
                                "GET",
                                "/v2/positions",
                                Collections.nCopies(5, fault).toArray(Fault[]::new));
                said.add(said(() -> impatient.sync()));
                broker.standIn.faults().stop();
            }
            account.block(true);
            said.add(said(() -> impatient.place(impatient.order("a", SPY, Action.BUY, "5"))));
            log.list.forEach(event -> said.add(event.getFormattedMessage()));

            assertThat(said)
                    .hasSizeGreaterThan(Fault.values().length)
                    .allSatisfy(text -> assertThat(text).doesNotContain(account.keyId(), account.secretKey()));
        } finally {
            root.detachAppender(log);
        }
    }

    private static String said(Broker.Call<?> call) {
        try {
            return String.valueOf(call.make());
        } catch (CustodianFailure | Declined failure) {
            return failure.toString();
        }
    }

    private static OpenOrder open(String id, Action action, String symbol, AssetType type, String rest) {
        return new OpenOrder(id, action, new AssetSymbol(symbol), type, Usd.of(rest));
    }

    private static Fill only(CustodianReport report) {
        assertThat(report.fills()).hasSize(1);
        return report.fills().get(0);
    }

    private static OrderState state(CustodianReport report) {
        assertThat(report.orders()).hasSize(1);
        return report.orders().get(0).state();
    }
}
