package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.ReconciledRequest;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every order at a broker has a price bound, which is made once. The policy allows a slippage of 1 percent. */
class BoundedOrdersTest extends BrokerHousehold {
    private static final AssetSymbol SPY = new AssetSymbol("SPY");
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private static final String LEFT = "The price left the bound of 1% before the order was filled.";
    private final ReadReconciliation reconciliation =
            new ReadReconciliation(fixture.store.requestQueue(), fixture.store.fillLog());

    @BeforeEach
    void orderByUnits() {
        fixture.broker.quantityStep("0.000000001");
    }

    @Test
    void an_agent_that_leaves_the_slippage_out_gets_the_price_bound_of_the_policy() {
        long id = accepted("buy 3000 BTC crypto");

        Order order = fixture.broker.order(orderId(id));
        assertThat(order.amount()).isNull();
        assertThat(order.limit()).isEqualTo(Usd.of(30_300));
        assertThat(order.quantity()).isEqualByComparingTo("0.099009900");
        assertThat(bound(id).reference()).isEqualTo(Usd.of(30_000));
    }

    @Test
    void the_slippage_is_that_of_the_policy_in_force_when_the_user_accepted() {
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"maxSlippage\": 0.001}")));

        long id = accepted("sell 3000 BTC crypto");

        assertThat(fixture.broker.order(orderId(id)).limit()).isEqualTo(Usd.of(29_970));
        assertThat(fixture.broker.order(orderId(id)).quantity()).isEqualByComparingTo("0.1");
    }

    @Test
    void the_bound_is_durable_before_the_order_is_sent_and_never_made_again() {
        long id = acceptedWhileAway();
        Usd limit = bound(id).limit();
        fixture.broker.market("BTC", "90000");
        fixture.broker.away(null);

        sweep();

        assertThat(fixture.broker.order(orderId(id)).limit()).isEqualTo(limit).isEqualTo(Usd.of(30_300));
    }

    @Test
    void without_a_price_nothing_is_ordered_and_the_request_waits_again() {
        fixture.broker.unpriced(CustodianFailure.refused("Alpaca has no current price for BTC."));
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        Pending answered = (Pending) given(fixture.attest.accept(USER, id));

        assertThat(answered.isAccepted()).isFalse();
        assertThat(answered.executionError()).isEqualTo("Alpaca has no current price for BTC.");
        assertThat(fixture.broker.asked()).isEmpty();
        assertThat(openOrders()).isZero();
        assertThat(tally()).isEqualTo("pending 3000 completed 0 requests 1");
    }

    @Test
    void market_data_that_is_away_is_asked_again() {
        fixture.broker.unpriced(CustodianFailure.away("Alpaca cannot answer (503)."));
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(fixture.pending(id).order().bound()).isNull();
        assertThat(fixture.broker.asked()).isEmpty();
        fixture.broker.unpriced(null);

        sweep();

        assertThat(fixture.broker.orders()).containsExactly(orderId(id));
    }

    @Test
    void an_order_that_waits_for_a_price_is_taken_back_at_once() {
        fixture.broker.unpriced(CustodianFailure.away("Alpaca cannot answer (503)."));
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, id));

        given(fixture.orders.cancel(USER, id));

        assertThat(fixture.request(id).reason()).isEqualTo("canceled");
        assertThat(fixture.broker.asked()).isEmpty();
    }

    @Test
    void an_order_that_ends_unfilled_lets_the_request_wait_with_the_reason() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.end(orderId(id), new OrderState.Cancelled());

        sync();

        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError()).isEqualTo(LEFT);
    }

    @Test
    void what_is_open_of_an_order_for_crypto_is_cancelled_after_24_hours() {
        long crypto = accepted("buy 3000 BTC crypto");
        long shares = accepted("buy 550 SPY tradfi");
        fixture.clock.advance(Duration.ofHours(24).minusMinutes(1));
        sync();
        assertThat(fixture.broker.asked()).doesNotContain("-" + orderId(crypto));
        fixture.clock.advance(Duration.ofMinutes(1));

        sync();

        assertThat(fixture.broker.asked()).contains("-" + orderId(crypto)).doesNotContain("-" + orderId(shares));
    }

    @Test
    void a_buy_below_its_bound_is_filled_and_deviates_from_what_was_allowed() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.broker.fill(order, "0.0990099", "29700");
        fixture.broker.end(order, new OrderState.Filled());

        sync();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        ReconciledRequest one = reconciliation.read(USER, null, 10).requests().get(0);
        assertThat(one.order().state().wireName()).isEqualTo("filled");
        assertThat(one.deviation()).isEqualTo(Usd.of("-59.40597"));
        assertThat(one.slippage(one.fills().get(0)).value()).isEqualByComparingTo("-0.01");
        assertThat(openOrders()).isZero();
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED))
                .last()
                .satisfies(fill -> assertThat(fill.members().get("limitPrice")).isEqualTo("30300"));
    }

    @Test
    void what_is_open_is_the_part_of_the_amount_that_the_open_units_stand_for() {
        long id = accepted("sell 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.05", "33000");

        sync();

        OrderAttempt order = fixture.pending(id).order();
        assertThat(order.filledUsd()).isEqualTo(Usd.of(1_650));
        assertThat(order.rest()).isEqualTo(Usd.of(1_500));
    }

    @Test
    void the_users_own_trades_have_no_limit_in_the_log() {
        fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");

        sync();

        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED))
                .singleElement()
                .satisfies(fill -> assertThat(fill.members()).doesNotContainKey("limitPrice"));
    }

    @Test
    void an_order_that_was_held_is_sent_when_the_price_is_still_within_its_bound() {
        long id = held();
        fixture.broker.market("BTC", "30300");
        given(fixture.amendIps.pause(USER, false));

        sweep();

        assertThat(fixture.broker.order(orderId(id)).limit()).isEqualTo(Usd.of(30_300));
        assertThat(fixture.pending(id).order().heldSince()).isNull();
    }

    @Test
    void an_order_that_was_held_ends_when_the_price_has_left_its_bound_meanwhile() {
        long id = held();
        fixture.broker.market("BTC", "30300.01");
        given(fixture.amendIps.pause(USER, false));

        sweep();

        assertThat(fixture.broker.orders()).isEmpty();
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError()).isEqualTo(LEFT);
        assertThat(openOrders()).isZero();
    }

    @Test
    void an_order_that_was_held_and_is_at_the_broker_is_followed_whatever_the_price_is() {
        long id = acceptedWhileAway();
        Pending sent = fixture.pending(id);
        given(fixture.amendIps.pause(USER, true));
        sweep();
        fixture.clock.advance(LATE_ARRIVAL);
        fixture.broker.away(null);
        fixture.broker.place(sent.order().order(sent.proposal()));
        fixture.broker.market("BTC", "90000");
        given(fixture.amendIps.pause(USER, false));

        sweep();

        assertThat(fixture.pending(id).order().state()).isEqualTo(new OrderState.Open());
    }

    @Test
    void an_attempt_from_before_bounds_is_never_sent_and_its_request_waits_again() {
        long id = fromBefore();

        sweep();
        fixture.clock.advance(LATE_ARRIVAL);
        sweep();

        assertThat(fixture.broker.asked()).isEmpty();
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError())
                .isEqualTo("The order was accepted before orders had a price bound, so it was not sent; "
                        + "accept the request again.");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.broker.order(orderId(id)).limit()).isEqualTo(Usd.of(30_300));
    }

    @Test
    void an_attempt_from_before_bounds_that_the_broker_has_is_followed() {
        long id = fromBefore();
        Pending old = fixture.pending(id);
        fixture.broker.placedBefore(old.order().order(old.proposal()));
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sweep();
        fixture.clock.advance(LATE_ARRIVAL);
        sweep();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.broker.asked()).isEmpty();
    }

    @Test
    void a_buy_is_not_sent_against_cash_that_another_open_buy_holds_whatever_open_sells_will_bring() {
        long sell = accepted("sell 1000 BTC crypto");
        fixture.broker.unpriced(CustodianFailure.away("Alpaca cannot answer (503)."));
        long buy = fixture.queued(agent, "buy 6000 SPY tradfi");
        given(fixture.attest.accept(USER, buy));
        fixture.broker.pageSize(1);
        fixture.broker.traded(null, Action.BUY, SPY, AssetType.TRADFI, "18", "550");
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.broker.traded(null, Action.BUY, SPY, AssetType.TRADFI, "1", "550");
        sync();
        fixture.broker.unpriced(null);

        sweep();

        assertThat(fixture.pending(sell).isAccepted()).isTrue();
        assertThat(fixture.pending(buy).executionError())
                .isEqualTo("Alpaca has 5100 USD in cash that no open buy holds; the buy is for 6000 USD.");
        assertThat(fixture.broker.orders()).containsExactly(orderId(sell));
    }

    @Test
    void every_order_under_way_is_taken_back_at_once_also_those_that_were_not_sent() {
        long sent = accepted("buy 3000 BTC crypto");
        fixture.broker.unpriced(CustodianFailure.away("Alpaca cannot answer (503)."));
        long unsent = fixture.queued(agent, "buy 550 SPY tradfi");
        given(fixture.attest.accept(USER, unsent));
        long waiting = fixture.queued(agent, "buy 100 BTC crypto");

        assertThat(fixture.orders.cancelAll(USER)).isEqualTo(2);

        assertThat(fixture.broker.asked()).contains("-" + orderId(sent));
        assertThat(fixture.request(unsent).reason()).isEqualTo("canceled");
        assertThat(fixture.pending(waiting).isAccepted()).isFalse();
        fixture.broker.end(orderId(sent), new OrderState.Cancelled());
        sync();
        assertThat(fixture.request(sent).reason()).isEqualTo("canceled");
        assertThat(fixture.orders.cancelAll(USER)).isZero();
    }

    /** A request whose order has a bound and is held since long ago. */
    private long held() {
        long id = acceptedWhileAway();
        given(fixture.amendIps.pause(USER, true));
        sweep();
        fixture.clock.advance(LATE_ARRIVAL);
        fixture.broker.away(null);
        return id;
    }

    /** An accepted request as versions before price bounds stored it. */
    private long fromBefore() {
        fixture.broker.unpriced(CustodianFailure.away("Alpaca cannot answer (503)."));
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, id));
        fixture.broker.unpriced(null);
        Pending now = fixture.pending(id);
        OrderAttempt it = now.order();
        OrderAttempt without = new OrderAttempt(
                it.custodian(),
                it.kind(),
                it.number(),
                it.clientOrderId(),
                it.acceptedAt(),
                it.isSigned(),
                it.ordered(),
                null,
                it.state(),
                BigDecimal.ZERO,
                Usd.ZERO,
                null,
                null,
                null,
                null,
                null,
                null);
        Pending old = new Pending(now.proposal(), without, now.attempts(), null, null);
        fixture.store.changeAndWait(
                USER, account -> new Outcome.Recording().request(old).answer(receipts -> true));
        assertThat(fixture.pending(id).order().isFromBeforeBounds()).isTrue();
        return id;
    }

    private PriceBound bound(long id) {
        return fixture.pending(id).order().bound();
    }

    private void sweep() {
        assertThat(fixture.orders.sweep(AT_ONCE).failures()).isEmpty();
    }
}
