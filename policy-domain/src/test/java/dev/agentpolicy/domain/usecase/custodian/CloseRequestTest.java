package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A user closes requests whose orders are over at a broker, or not known there, and which no sync ends. */
class CloseRequestTest {
    private static final Duration LATE_ARRIVAL = Duration.ofMinutes(2);
    private final UseCaseFixture fixture = new UseCaseFixture();
    private final Caller agent = fixture.agent("{}");

    /** 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash at a broker. */
    @BeforeEach
    void connect() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.broker
                .cash(Usd.of(15_000))
                .position("BTC", AssetType.CRYPTO, "1", "30000")
                .position("SPY", AssetType.TRADFI, "100", "550");
        given(fixture.connect.connect(
                USER,
                "alpaca",
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
        fixture.clock.advance(Duration.ofSeconds(10));
    }

    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void a_request_that_is_stuck_by_a_missing_fill_is_completed_with_what_was_filled() {
        long id = accepted();
        fixture.broker.fill(orderId(id), "0.04", "30000");
        fixture.broker.overstate(orderId(id), "0.06");
        fixture.broker.end(orderId(id), new OrderState.Filled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        Completed closed = (Completed) given(fixture.orders.close(USER, id));

        assertThat(closed).isEqualTo(fixture.request(id));
        assertThat(closed.order().filledUsd()).isEqualTo(Usd.of(1_200));
        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
        assertThat(openOrders()).isZero();
        given(fixture.connect.remove(USER, "alpaca"));
    }

    @Test
    void a_request_of_whose_order_nothing_was_recorded_is_rejected() {
        long id = accepted();
        fixture.broker.overstate(orderId(id), "0.1");
        fixture.broker.end(orderId(id), new OrderState.Filled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        Rejected closed = (Rejected) given(fixture.orders.close(USER, id));

        assertThat(closed.reason()).isEqualTo("closed");
        assertThat(closed.attempts()).isOne();
        assertThat(tally()).isEqualTo("pending 0 completed 0 requests 0");
        assertThat(openOrders()).isZero();
    }

    @Test
    void a_request_whose_order_the_broker_does_not_know_any_more_is_closed() {
        long empty = accepted();
        long partly = accepted();
        fixture.broker.fill(orderId(partly), "0.04", "30000");
        sync();
        fixture.broker.lose(orderId(empty));
        fixture.broker.lose(orderId(partly));

        assertThat(given(fixture.orders.close(USER, empty)).reason()).isEqualTo(Rejected.CLOSED);
        assertThat(((Completed) given(fixture.orders.close(USER, partly)))
                        .order()
                        .filledUsd())
                .isEqualTo(Usd.of(1_200));
        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
    }

    @Test
    void fills_that_come_later_are_recorded_as_of_the_closed_request() {
        long id = accepted();
        Fill late = fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.hide(late);
        fixture.broker.end(orderId(id), new OrderState.Filled());
        given(fixture.orders.close(USER, id));
        fixture.broker.show();

        sync();

        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.CLOSED);
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED))
                .singleElement()
                .satisfies(
                        observed -> assertThat(observed.get("serviceRequestId")).hasToString(Long.toString(id)));
        assertThat(tally()).isEqualTo("pending 0 completed 3000 requests 0");
    }

    @Test
    void an_open_order_is_under_way() {
        long id = accepted();

        assertThat(refused(fixture.orders.close(USER, id)).code()).isEqualTo(Code.ORDER_UNDER_WAY);

        assertThat(fixture.pending(id).isAccepted()).isTrue();
    }

    @Test
    void an_order_is_under_way_while_its_broker_does_not_answer() {
        long id = accepted();
        fixture.broker.lose(orderId(id));
        fixture.broker.away("Alpaca does not answer.");

        assertThat(refused(fixture.orders.close(USER, id)).message())
                .isEqualTo("The custodian does not say how the order stands; try again once it can be synced.");
        assertThat(fixture.pending(id).isAccepted()).isTrue();
    }

    @Test
    void an_order_that_may_be_on_its_way_is_under_way_until_it_was_not_sent_for_two_minutes() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.broker.away("Alpaca does not answer.");
        given(fixture.attest.accept(USER, id));
        fixture.broker.away(null);
        assertThat(refused(fixture.orders.close(USER, id)).code()).isEqualTo(Code.ORDER_UNDER_WAY);
        given(fixture.amendIps.pause(USER, true));
        fixture.orders.sweep(Duration.ofSeconds(-1));
        assertThat(refused(fixture.orders.close(USER, id)).code()).isEqualTo(Code.ORDER_UNDER_WAY);
        fixture.clock.advance(LATE_ARRIVAL);

        assertThat(given(fixture.orders.close(USER, id)).reason()).isEqualTo(Rejected.CLOSED);
        assertThat(fixture.broker.orders()).isEmpty();
    }

    @Test
    void a_request_without_an_order_is_not_closed() {
        long waiting = fixture.queued(agent, "buy 3000 BTC crypto");
        long resolved = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.reject(USER, resolved, null));

        assertThat(refused(fixture.orders.close(USER, waiting)).code()).isEqualTo(Code.NOT_ACCEPTED);
        assertThat(refused(fixture.orders.close(USER, resolved)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refused(fixture.orders.close(USER, resolved + 1)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.orders.close(new UserId(new UUID(0, 99)), waiting))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void an_order_that_the_broker_made_another_trade_of_ends_by_being_closed() {
        fixture.broker.wording("Alpaca has this order as market sell of 1 SPY, and not as what was ordered.");
        long id = accepted();
        String order = orderId(id);
        fixture.broker.traded(order, Action.SELL, new AssetSymbol("SPY"), AssetType.TRADFI, "1", "550");
        fixture.broker.overstate(order, "1");
        fixture.broker.end(order, new OrderState.Filled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        assertThat(given(fixture.orders.close(USER, id)).reason()).isEqualTo(Rejected.CLOSED);

        assertThat(fixture.store.fillLog().withoutRequest(USER, 10)).hasSize(1);
        assertThat(fixture.broker.orders()).containsExactly(order);
    }

    /** Accepts a request whose order is open at the broker then. */
    private long accepted() {
        long id = fixture.queued(agent, "buy 2000 BTC crypto");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.broker.isOpen(orderId(id))).isTrue();
        return id;
    }

    private String orderId(long id) {
        return fixture.pending(id).order().clientOrderId();
    }

    private void sync() {
        fixture.sync.sync(USER, "alpaca");
    }

    private int openOrders() {
        return fixture.portfolio()
                .custodian("alpaca")
                .orElseThrow()
                .openOrders()
                .size();
    }

    private String tally() {
        var tally = fixture.tally(agent);
        return "pending " + tally.pendingBuys() + " completed " + tally.completedBuys() + " requests "
                + tally.pending();
    }
}
