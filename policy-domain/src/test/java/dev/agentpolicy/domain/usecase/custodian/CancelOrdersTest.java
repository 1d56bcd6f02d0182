package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A user takes orders back that are at a broker or on their way to it. */
class CancelOrdersTest extends BrokerHousehold {
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private static final Duration MICRO = Duration.ofNanos(1_000);

    @Test
    void a_request_that_was_not_accepted_has_no_order_to_cancel() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        Refusal refusal = refused(fixture.orders.cancel(USER, id));

        assertThat(refusal.code()).isEqualTo(Code.NOT_ACCEPTED);
        assertThat(refusal.message())
                .isEqualTo("This request was not accepted, so there is no order to cancel; reject it instead.");
        assertThat(refusal.request()).isEqualTo(fixture.request(id));
        assertThat(fixture.broker.asked()).isEmpty();
    }

    @Test
    void a_resolved_request_is_not_changed_and_the_refusal_shows_it() {
        long completed = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(completed), "0.1", "30000");
        fixture.broker.end(orderId(completed), new OrderState.Filled());
        sync();
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.reject(USER, rejected, "enough"));
        int calls = fixture.broker.asked().size();

        assertThat(refused(fixture.orders.cancel(USER, completed)))
                .isEqualTo(Refusal.resolved("This request is already completed.", fixture.request(completed)));
        assertThat(refused(fixture.orders.cancel(USER, rejected)))
                .isEqualTo(Refusal.resolved("This request is already rejected.", fixture.request(rejected)));
        assertThat(fixture.broker.asked()).hasSize(calls);
    }

    @Test
    void an_unknown_request_and_one_of_another_user_are_not_found() {
        long id = accepted("buy 3000 BTC crypto");

        assertThat(refused(fixture.orders.cancel(USER, id + 1)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.orders.cancel(new UserId(new UUID(0, 99)), id))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.pending(id).order().isCancelRequested()).isFalse();
    }

    @Test
    void an_order_that_is_cancelled_with_nothing_filled_rejects_its_request() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.broker.end(order, new OrderState.Cancelled());

        ServiceRequest answered = given(fixture.orders.cancel(USER, id));

        assertThat(answered).isEqualTo(fixture.request(id));
        assertThat(answered.status()).isEqualTo(RequestStatus.REJECTED);
        assertThat(answered.reason()).isEqualTo(Rejected.CANCELED);
        assertThat(fixture.broker.asked()).startsWith(order, "-" + order);
        assertThat(tally()).isEqualTo("pending 0 completed 0 requests 0");
        assertThat(openOrders()).isZero();
    }

    @Test
    void an_order_that_is_cancelled_with_a_part_filled_completes_its_request_with_that_part() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.04", "30000");
        fixture.broker.end(orderId(id), new OrderState.Cancelled());

        Completed answered = (Completed) given(fixture.orders.cancel(USER, id));

        assertThat(answered).isEqualTo(fixture.request(id));
        assertThat(answered.order().state()).isEqualTo(new OrderState.Cancelled());
        assertThat(answered.order().filledUsd()).isEqualTo(Usd.of(1_200));
        assertThat(answered.order().ordered()).isEqualTo(Usd.of(3_000));
        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
        assertThat(openOrders()).isZero();
    }

    @Test
    void an_order_that_was_filled_before_the_cancellation_arrived_completes_its_request() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        Completed answered = (Completed) given(fixture.orders.cancel(USER, id));

        assertThat(answered.order().state()).isEqualTo(new OrderState.Filled());
        assertThat(tally()).isEqualTo("pending 0 completed 3000 requests 0");
    }

    @Test
    void an_order_that_the_broker_has_not_yet_cancelled_stays_in_progress_and_each_sync_asks_again() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);

        Pending answered = (Pending) given(fixture.orders.cancel(USER, id));

        assertThat(answered.order().isCancelRequested()).isTrue();
        assertThat(openOrders()).isOne();
        int calls = fixture.broker.asked().size();
        fixture.broker.end(order, new OrderState.Cancelled());
        sync();
        assertThat(fixture.broker.asked()).hasSize(calls + 1).endsWith("-" + order);
        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.CANCELED);
    }

    @Test
    void the_time_of_the_first_cancellation_stays() {
        long id = accepted("buy 3000 BTC crypto");
        given(fixture.orders.cancel(USER, id));
        OrderAttempt first = fixture.pending(id).order();
        fixture.clock.advance(Duration.ofMinutes(1));

        given(fixture.orders.cancel(USER, id));

        assertThat(fixture.pending(id).order()).isEqualTo(first);
        assertThat(first.cancelRequestedAt()).isEqualTo(fixture.clock.instant().minus(Duration.ofMinutes(1)));
    }

    @Test
    void an_order_whose_broker_is_away_stays_in_progress_until_a_sweep_takes_it_back() {
        long id = acceptedWhileAway();
        Pending before = fixture.pending(id);

        Pending answered = (Pending) given(fixture.orders.cancel(USER, id));

        assertThat(answered.isAccepted()).isTrue();
        assertThat(answered.order().isCancelRequested()).isTrue();
        assertThat(answered).isEqualTo(fixture.request(id));
        fixture.broker.away(null);
        arrives(before);
        fixture.broker.end(orderId(id), new OrderState.Cancelled());
        assertThat(sweep()).isOne();
        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.CANCELED);
        assertThat(openOrders()).isZero();
    }

    @Test
    void an_order_that_was_taken_back_is_not_placed_again() {
        long id = acceptedWhileAway();
        given(fixture.orders.cancel(USER, id));
        fixture.broker.away(null);

        sweep();

        assertThat(fixture.broker.orders()).isEmpty();
        assertThat(fixture.broker.asked()).endsWith("-" + orderId(id));
    }

    @Test
    void that_a_broker_does_not_know_an_order_is_believed_two_minutes_after_the_first_cancellation() {
        long id = acceptedWhileAway();
        fixture.broker.away(null);
        given(fixture.orders.cancel(USER, id));
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        fixture.clock.advance(LATE_ARRIVAL.minus(MICRO));
        given(fixture.orders.cancel(USER, id));
        sweep();
        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(tally()).isEqualTo("pending 3000 completed 0 requests 1");

        fixture.clock.advance(MICRO);
        sweep();
        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.CANCELED);
        assertThat(tally()).isEqualTo("pending 0 completed 0 requests 0");
        assertThat(openOrders()).isZero();
    }

    @Test
    void a_user_who_cancels_again_after_two_minutes_is_told_that_the_request_is_over() {
        long id = acceptedWhileAway();
        fixture.broker.away(null);
        given(fixture.orders.cancel(USER, id));
        fixture.clock.advance(LATE_ARRIVAL);

        assertThat(given(fixture.orders.cancel(USER, id)).reason()).isEqualTo(Rejected.CANCELED);
    }

    @Test
    void a_bug_of_the_broker_is_reported_although_the_order_is_taken_back() {
        long id = acceptedWhileAway();
        fixture.broker.away(null);
        RuntimeException bug = new IllegalStateException("A bug.");
        arrives(fixture.pending(id));
        fixture.broker.breaks(bug);

        Pending taken = (Pending) given(fixture.orders.cancel(USER, id));

        assertThat(taken.order().isCancelRequested()).isTrue();
        assertThat(fixture.failures).containsExactly(bug);
    }

    @Test
    void an_answer_after_two_minutes_to_an_earlier_question_is_not_believed() {
        long id = acceptedWhileAway();
        ExecuteOrders slow = fixture.orders(fixture.store.requestQueue(), new SlowToCancel());

        Answer<ServiceRequest> answer = slow.cancel(USER, id);

        assertThat(given(answer).status()).isEqualTo(RequestStatus.PENDING);
        assertThat(fixture.pending(id).isAccepted()).isTrue();
    }

    @Test
    void a_copy_that_arrives_within_the_two_minutes_is_found_and_taken_back() {
        long id = acceptedWhileAway();
        Pending sent = fixture.pending(id);
        fixture.broker.away(null);
        given(fixture.orders.cancel(USER, id));
        arrives(sent);
        fixture.broker.fill(orderId(id), "0.04", "30000");
        fixture.broker.end(orderId(id), new OrderState.Cancelled());
        fixture.clock.advance(LATE_ARRIVAL);

        sweep();

        assertThat(((Completed) fixture.request(id)).order().filledUsd()).isEqualTo(Usd.of(1_200));
    }

    @Test
    void an_order_that_the_broker_confirmed_and_then_does_not_know_stays_in_progress() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.lose(orderId(id));
        given(fixture.orders.cancel(USER, id));
        fixture.clock.advance(LATE_ARRIVAL);

        given(fixture.orders.cancel(USER, id));

        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(openOrders()).isOne();
    }

    /** Lets a copy of an order arrive that was on its way. */
    private void arrives(Pending sent) {
        fixture.broker.place(sent.order().order(sent.proposal()));
    }

    private int sweep() {
        return fixture.orders.sweep(AT_ONCE).examined();
    }

    /** The broker of the fixture, which takes three minutes to say that it does not know an order. */
    private final class SlowToCancel implements Custodian {
        @Override
        public ReferencePrice price(Order wanted, Fraction slippage) {
            return fixture.broker.price(wanted, slippage);
        }

        @Override
        public OrderReport place(Order order) {
            return fixture.broker.place(order);
        }

        @Override
        public OrderReport cancel(Order order) {
            fixture.clock.advance(LATE_ARRIVAL.plusMinutes(1));
            throw CustodianFailure.refused("There is no such order.");
        }

        @Override
        public CustodianReport sync(SyncQuery query) {
            return fixture.broker.sync(query);
        }
    }
}
