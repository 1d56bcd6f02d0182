package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.BTC;
import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static dev.agentpolicy.adapter.custodian.Broker.SPY;
import static dev.agentpolicy.adapter.custodian.Broker.answer;
import static dev.agentpolicy.adapter.custodian.Broker.away;
import static dev.agentpolicy.adapter.custodian.Broker.declined;
import static dev.agentpolicy.adapter.custodian.Broker.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAccount;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaAsset;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaFill;
import dev.agentpolicy.adapter.custodian.AlpacaClient.AlpacaPosition;
import dev.agentpolicy.adapter.custodian.AlpacaClient.FillBatch;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each call of the client, at a broker that works. */
class AlpacaClientTest {
    private final Broker broker = new Broker();
    private StandInAccount account;
    private AlpacaClient client;

    @BeforeEach
    void open() {
        account = broker.standIn.account("one", "10000.123456");
        client = broker.client(account, PATIENT);
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void an_account_has_exact_cash_and_equity() {
        account.hold("BTC/USD", "0.1");

        AlpacaAccount answered = answer(() -> client.account());

        assertThat(answered.cash()).isEqualByComparingTo("10000.123456");
        assertThat(answered.equity()).isEqualByComparingTo("15000.123456");
        assertThat(answered.currency()).isEqualTo("USD");
        assertThat(answered.problem()).isEmpty();
    }

    @Test
    void borrowed_cash_and_a_blocked_account_are_reported() {
        StandInAccount borrower = broker.standIn.account("borrower", "-0.01");
        StandInAccount blocked = broker.standIn.account("blocked", "1");
        blocked.block(true);

        assertThat(answer(() -> broker.client(borrower, PATIENT).account())
                        .problem()
                        .orElseThrow())
                .contains("owes cash");
        assertThat(answer(() -> broker.client(blocked, PATIENT).account())
                        .problem()
                        .orElseThrow())
                .contains("blocked");
    }

    @Test
    void positions_have_canonical_symbols_and_the_prices_of_the_broker() {
        account.hold("BTC/USD", "0.123456789").hold("SPY", "2");

        List<AlpacaPosition> positions = answer(() -> client.positions());

        assertThat(positions).extracting(AlpacaPosition::instrument).containsExactlyInAnyOrder(BTC, SPY);
        AlpacaPosition btc = position(positions, BTC);
        assertThat(btc.quantity()).isEqualByComparingTo("0.123456789");
        assertThat(btc.price()).contains(new BigDecimal("50000"));
        assertThat(btc.marketValue().orElseThrow()).isEqualByComparingTo("6172.83945");
        assertThat(btc.isShort()).isFalse();
    }

    @Test
    void a_short_position_is_negative() {
        account.hold("SPY", "-3");

        AlpacaPosition spy = position(answer(() -> client.positions()), SPY);

        assertThat(spy.isShort()).isTrue();
        assertThat(spy.quantity()).isEqualByComparingTo("-3");
        assertThat(spy.marketValue().orElseThrow()).isEqualByComparingTo("-1500");
    }

    @Test
    void what_an_open_sale_holds_is_not_available() {
        account.hold("SPY", "2");
        broker.standIn.market().execution(Execution.BY_HAND);
        answer(() -> client.place(order("sale", SPY, Action.SELL, "250")));

        AlpacaPosition spy = position(answer(() -> client.positions()), SPY);

        assertThat(spy.quantity()).isEqualByComparingTo("2");
        assertThat(spy.available()).isEqualByComparingTo("1.5");
    }

    @Test
    void assets_are_found_by_any_of_their_names() {
        for (String name : List.of("BTC", "BTCUSD", "BTC/USD")) {
            AlpacaAsset found = answer(() -> client.asset(new Instrument(new AssetSymbol(name), AssetType.CRYPTO)))
                    .orElseThrow();
            assertThat(found.instrument()).isEqualTo(BTC);
            assertThat(found.isTradable()).isTrue();
            assertThat(found.isFractionable()).isTrue();
        }
        assertThat(answer(() -> client.asset(new Instrument(new AssetSymbol("NOPE"), AssetType.TRADFI))))
                .isEmpty();
    }

    @Test
    void the_clock_tells_the_time_of_the_broker() {
        broker.standIn.market().skew(Duration.ofHours(3));

        assertThat(answer(() -> client.clock(Instant.now())).time())
                .isCloseTo(Instant.now().plus(Duration.ofHours(3)), within(5, ChronoUnit.MINUTES));
    }

    @Test
    void an_order_is_placed_for_units_with_a_limit_and_filled() {
        AlpacaOrder placed = answer(() -> client.place(order("buy-1", BTC, Action.BUY, "123.459")));

        AlpacaOrder filled = answer(() -> client.orderByClientOrderId("buy-1")).orElseThrow();
        assertThat(placed.id()).isEqualTo(filled.id());
        assertThat(placed.notional()).isEmpty();
        assertThat(placed.type()).isEqualTo("limit");
        assertThat(placed.bound().orElseThrow()).isEqualByComparingTo("50000");
        assertThat(filled.state()).isEqualTo(new OrderState.Filled());
        assertThat(filled.instrument()).isEqualTo(BTC);
        assertThat(filled.action()).isEqualTo(Action.BUY);
        assertThat(filled.filledQuantity()).isEqualByComparingTo("0.00246918");
        assertThat(filled.averagePrice().orElseThrow()).isEqualByComparingTo("50000");
        assertThat(filled.quantity().orElseThrow()).isEqualByComparingTo("0.00246918");
        assertThat(account.cash()).isEqualByComparingTo("9876.664456");
        assertThat(answer(() -> client.order(filled.id()))).contains(filled);
    }

    @Test
    void the_broker_is_asked_before_it_is_told() {
        answer(() -> client.place(order("buy-1", SPY, Action.BUY, "10")));
        answer(() -> client.place(order("buy-1", SPY, Action.BUY, "10")));

        assertThat(broker.standIn.calls())
                .containsExactly(
                        "GET /v2/orders:by_client_order_id", "POST /v2/orders", "GET /v2/orders:by_client_order_id");
        assertThat(account.clientOrderIds()).containsExactly("buy-1");
    }

    @Test
    void what_has_the_id_of_an_order_is_that_order_and_is_not_placed_again() {
        answer(() -> client.place(order("same", SPY, Action.BUY, "10")));

        for (NewOrder other : List.of(
                order("same", BTC, Action.BUY, "10"),
                order("same", SPY, Action.SELL, "10"),
                order("same", SPY, Action.BUY, "10.01"),
                new NewOrder("same", SPY, Action.BUY, new BigDecimal("0.02"), Usd.of("499.99")))) {
            AlpacaOrder found = answer(() -> client.place(other));
            assertThat(found.quantity().orElseThrow()).isEqualByComparingTo("0.02");
            assertThat(other.difference(found)).isPresent();
        }
        assertThat(account.clientOrderIds()).containsExactly("same");
    }

    @Test
    void a_refusal_carries_the_reason_of_the_broker() {
        assertThat(declined(() -> client.place(order("dear", SPY, Action.BUY, "10000.13"))))
                .isEqualTo("403 insufficient buying power");
        assertThat(declined(() -> client.place(order("small", SPY, Action.BUY, "0.99"))))
                .isEqualTo("403 cost basis must be >= minimal amount of order 1");
        assertThat(declined(() -> client.place(order("unheld", SPY, Action.SELL, "5"))))
                .isEqualTo("403 insufficient qty available for order (requested: 0.01, available: 0)");
        Instrument unknown = new Instrument(new AssetSymbol("NOPE"), AssetType.TRADFI);
        assertThat(declined(() -> client.place(order("unknown", unknown, Action.BUY, "5"))))
                .isEqualTo("422 asset \"NOPE\" not found");
        assertThat(account.clientOrderIds()).isEmpty();
    }

    @Test
    void an_order_waits_for_the_market_and_is_then_filled() {
        broker.standIn.closeMarket();
        AlpacaOrder waiting = answer(() -> client.place(order("later", SPY, Action.BUY, "100")));
        assertThat(waiting.state()).isEqualTo(new OrderState.Open());
        assertThat(answer(() -> client.openOrders()))
                .extracting(AlpacaOrder::clientOrderId)
                .containsExactly("later");

        broker.standIn.openMarket();

        assertThat(state("later")).isEqualTo(new OrderState.Filled());
        assertThat(answer(() -> client.openOrders())).isEmpty();
    }

    @Test
    void a_coin_trades_while_the_market_is_closed() {
        broker.standIn.closeMarket();

        answer(() -> client.place(order("night", BTC, Action.BUY, "100")));

        assertThat(state("night")).isEqualTo(new OrderState.Filled());
    }

    @Test
    void a_partial_fill_can_be_canceled() {
        broker.standIn.market().execution(Execution.BY_HAND);
        AlpacaOrder placed = answer(() -> client.place(order("part", SPY, Action.BUY, "100")));
        account.fill("part", "0.25");
        assertThat(state("part")).isEqualTo(new OrderState.PartiallyFilled());

        AlpacaOrder canceled = answer(() -> client.cancel(placed.id()));

        assertThat(canceled.state()).isEqualTo(new OrderState.Cancelled());
        assertThat(canceled.filledQuantity()).isEqualByComparingTo("0.05");
        assertThat(account.cash()).isEqualByComparingTo("9975.123456");
    }

    @Test
    void canceling_what_is_over_changes_nothing() {
        AlpacaOrder placed = answer(() -> client.place(order("done", SPY, Action.BUY, "100")));

        assertThat(answer(() -> client.cancel(placed.id())).state()).isEqualTo(new OrderState.Filled());
        assertThat(declined(() -> client.cancel("unknown"))).isEqualTo("404 order not found for unknown");
    }

    @Test
    void an_order_can_be_rejected_or_expire_after_it_was_accepted() {
        broker.standIn.market().execution(Execution.REJECTED);
        answer(() -> client.place(order("rejected", SPY, Action.BUY, "100")));
        broker.standIn.market().execution(Execution.BY_HAND);
        answer(() -> client.place(order("expired", SPY, Action.BUY, "100")));
        broker.standIn.closeMarket();

        assertThat(state("rejected")).isEqualTo(new OrderState.Rejected("Alpaca rejected the order."));
        assertThat(state("expired")).isEqualTo(new OrderState.Expired());
        assertThat(state("rejected").isOver()).isTrue();
    }

    @Test
    void all_open_orders_are_read_page_by_page() {
        for (int i = 0; i < 1001; i++) {
            account.leaveOpen("SPY", "2", "order-" + i);
        }

        List<AlpacaOrder> open = answer(() -> client.openOrders());

        assertThat(open).hasSize(1001).doesNotHaveDuplicates();
        assertThat(open.get(0).clientOrderId()).isEqualTo("order-1000");
    }

    @Test
    void fills_tell_what_was_traded() {
        AlpacaOrder placed = answer(() -> client.place(order("buy-1", BTC, Action.BUY, "100")));
        account.tradeByHand("BTC/USD", false, "0.001");

        List<AlpacaFill> fills = answer(() -> client.fills(Instant.EPOCH)).fills();

        assertThat(fills).extracting(AlpacaFill::action).containsExactlyInAnyOrder(Action.BUY, Action.SELL);
        AlpacaFill ours = fills.stream()
                .filter(fill -> fill.orderId().equals(placed.id()))
                .findFirst()
                .orElseThrow();
        assertThat(ours.instrument()).isEqualTo(BTC);
        assertThat(ours.quantity()).isEqualByComparingTo("0.002");
        assertThat(ours.price()).isEqualByComparingTo("50000");
    }

    @Test
    void every_fill_is_read_exactly_once_however_it_is_paged() {
        account.hold("SPY", "1000");
        for (int trades : new int[] {0, 1, 99, 100, 101, 250, 3}) {
            tradeInOrder(trades);

            FillBatch batch = answer(() -> client.fills(Instant.EPOCH));

            assertThat(batch.isComplete()).isTrue();
            assertThat(batch.fills())
                    .extracting(AlpacaFill::id)
                    .isEqualTo(account.fillIds())
                    .doesNotHaveDuplicates();
        }
        assertThat(account.fillIds()).hasSize(554);
    }

    @Test
    void many_fills_are_read_until_they_are_of_half_an_hour() {
        account.hold("SPY", "1000");
        Instant began = Instant.now();
        tradeInOrder(1_050);

        FillBatch all = answer(() -> client.fills(began.minusSeconds(1)));
        FillBatch first = answer(() -> client.fills(Instant.EPOCH));

        assertThat(all.isComplete()).isTrue();
        assertThat(all.fills()).extracting(AlpacaFill::id).isEqualTo(account.fillIds());
        assertThat(first.isComplete()).isFalse();
        assertThat(first.fills())
                .extracting(AlpacaFill::id)
                .isEqualTo(account.fillIds().subList(0, 1_000));
    }

    @Test
    void fills_can_be_read_from_a_time_on() {
        account.hold("SPY", "10");
        account.tradeByHand("SPY", false, "1");
        broker.standIn.market().skew(Duration.ofHours(1));
        account.tradeByHand("SPY", false, "2");

        List<AlpacaFill> fills = answer(() -> client.fills(Instant.now().plus(Duration.ofMinutes(30))))
                .fills();

        assertThat(fills).hasSize(1);
        assertThat(fills.get(0).quantity()).isEqualByComparingTo("2");
    }

    @Test
    void wrong_credentials_are_declined_and_leave_an_order_in_doubt() {
        for (AlpacaClient stranger :
                List.of(broker.client(account.keyId(), "wrong", PATIENT), broker.client("unknown", "wrong", PATIENT))) {
            assertThat(declined(() -> stranger.account())).isEqualTo("401 request is not authorized");
            assertThat(away(() -> stranger.place(order("a", SPY, Action.BUY, "5"))))
                    .isEqualTo("Alpaca does not say whether it has the order: request is not authorized");
        }
        assertThat(broker.standIn.calls()).hasSize(4);
    }

    /** Each in a millisecond of its own, since the broker orders fills of one millisecond at random. */
    private void tradeInOrder(int trades) {
        for (int i = 0; i < trades; i++) {
            sequence = sequence.plusMillis(1);
            broker.standIn.market().skew(sequence);
            account.tradeByHand("SPY", false, "0.1");
        }
    }

    private Duration sequence = Duration.ZERO;

    private OrderState state(String clientOrderId) {
        return answer(() -> client.orderByClientOrderId(clientOrderId))
                .orElseThrow()
                .state();
    }

    private static AlpacaPosition position(List<AlpacaPosition> positions, Instrument instrument) {
        return positions.stream()
                .filter(each -> each.instrument().equals(instrument))
                .findFirst()
                .orElseThrow();
    }
}
