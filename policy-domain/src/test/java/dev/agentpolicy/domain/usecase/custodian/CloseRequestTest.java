package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A user closes requests whose orders are over at a broker, or not known there, and which no sync ends. */
class CloseRequestTest extends BrokerHousehold {
    @Test
    void a_request_that_is_stuck_by_a_missing_fill_is_completed_with_what_was_filled() {
        long id = accepted("buy 2000 BTC crypto");
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
        long id = accepted("buy 2000 BTC crypto");
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
        long empty = accepted("buy 2000 BTC crypto");
        long partly = accepted("buy 2000 BTC crypto");
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
        long id = accepted("buy 2000 BTC crypto");
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
        long id = accepted("buy 2000 BTC crypto");

        assertThat(refused(fixture.orders.close(USER, id)).code()).isEqualTo(Code.ORDER_UNDER_WAY);

        assertThat(fixture.pending(id).isAccepted()).isTrue();
    }

    @Test
    void an_order_is_under_way_while_its_broker_does_not_answer() {
        long id = accepted("buy 2000 BTC crypto");
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
        long id = accepted("buy 2000 BTC crypto");
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
}
