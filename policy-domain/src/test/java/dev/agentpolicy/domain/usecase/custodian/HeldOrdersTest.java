package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.JsonSamples;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Pausing and revoking stop accepted orders that the broker does not have yet. */
class HeldOrdersTest extends BrokerHousehold {
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private static final Duration MICRO = Duration.ofNanos(1_000);

    @Test
    void pausing_all_agents_stops_an_accepted_order_that_the_broker_does_not_have() {
        long id = acceptedWhileAway();
        given(fixture.amendIps.pause(USER, true));
        fixture.broker.away(null);

        sweep();
        fixture.clock.advance(Duration.ofHours(23));
        sweep();

        assertThat(fixture.broker.orders()).isEmpty();
        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(openOrders()).isOne();
        given(fixture.amendIps.pause(USER, false));
        sweep();
        assertThat(fixture.broker.orders()).containsExactly(orderId(id));
        assertThat(fixture.pending(id).attempts()).isOne();
    }

    @Test
    void pausing_its_key_stops_an_accepted_order_that_the_broker_does_not_have() {
        long id = acceptedWhileAway();
        pauseKey(true);
        fixture.broker.away(null);

        sweep();

        assertThat(fixture.broker.orders()).isEmpty();
        pauseKey(false);
        sweep();
        assertThat(fixture.broker.orders()).containsExactly(orderId(id));
    }

    @Test
    void an_order_whose_sending_was_held_up_until_agents_were_paused_is_not_sent() {
        fixture.broker.away("Alpaca does not answer.");
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        Pending accepted = (Pending) given(fixture.attest.accept(USER, id));
        fixture.broker.away(null);
        given(fixture.amendIps.pause(USER, true));

        fixture.orders.execute(accepted);

        assertThat(fixture.broker.orders()).isEmpty();
    }

    @Test
    void an_order_that_arrived_before_agents_were_paused_is_found_and_followed() {
        long id = acceptedWhileAway();
        Pending sent = fixture.pending(id);
        given(fixture.amendIps.pause(USER, true));
        fixture.broker.away(null);
        fixture.broker.place(sent.order().order(sent.proposal()));
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sweep();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.broker.orders()).hasSize(1);
    }

    @Test
    void an_order_that_is_held_for_more_than_24_hours_is_not_sent_and_its_request_waits_again() {
        long id = acceptedWhileAway();
        String order = orderId(id);
        given(fixture.amendIps.pause(USER, true));
        fixture.broker.away(null);
        sweep();
        fixture.clock.advance(Duration.ofHours(24));
        sweep();
        assertThat(fixture.pending(id).isAccepted()).isTrue();
        fixture.clock.advance(MICRO);

        sweep();

        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError())
                .isEqualTo("Its agent was paused for more than 24 hours, so the order was not sent.");
        assertThat(openOrders()).isZero();
        assertThat(tally()).isEqualTo("pending 3000 completed 0 requests 1");
        given(fixture.amendIps.pause(USER, false));
        sweep();
        assertThat(fixture.broker.orders()).isEmpty();
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.broker.orders()).hasSize(1).doesNotContain(order);
    }

    @Test
    void an_order_is_not_ended_while_nobody_can_tell_whether_the_broker_has_it() {
        long id = acceptedWhileAway();
        given(fixture.amendIps.pause(USER, true));
        sweep();
        fixture.clock.advance(Duration.ofHours(25));

        sweep();

        assertThat(fixture.pending(id).isAccepted()).isTrue();
    }

    @Test
    void each_pause_is_measured_alone() {
        long id = acceptedWhileAway();
        given(fixture.amendIps.pause(USER, true));
        sweep();
        fixture.clock.advance(Duration.ofHours(20));
        given(fixture.amendIps.pause(USER, false));
        sweep();
        given(fixture.amendIps.pause(USER, true));
        fixture.broker.away(null);
        fixture.clock.advance(Duration.ofHours(5));

        sweep();

        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(fixture.broker.orders()).isEmpty();
    }

    @Test
    void revoking_its_key_takes_an_accepted_order_back_that_the_broker_does_not_have() {
        long id = acceptedWhileAway();
        given(fixture.keys.revoke(USER, agent.key().id()));
        fixture.broker.away(null);

        sweep();
        fixture.clock.advance(LATE_ARRIVAL.minus(MICRO));
        sweep();
        assertThat(fixture.pending(id).isAccepted()).isTrue();
        fixture.clock.advance(MICRO);
        sweep();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.REJECTED);
        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.KEY_REVOKED);
        assertThat(fixture.broker.orders()).isEmpty();
        assertThat(openOrders()).isZero();
        assertThat(tally()).isEqualTo("pending 0 completed 0 requests 0");
    }

    @Test
    void a_copy_that_arrives_within_two_minutes_of_the_revocation_is_followed() {
        long id = acceptedWhileAway();
        Pending sent = fixture.pending(id);
        given(fixture.keys.revoke(USER, agent.key().id()));
        fixture.broker.away(null);
        sweep();
        fixture.broker.place(sent.order().order(sent.proposal()));
        fixture.clock.advance(LATE_ARRIVAL);

        sweep();

        assertThat(fixture.pending(id).order().state()).isEqualTo(new OrderState.Open());
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());
        sync();
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void an_order_that_the_broker_has_is_executed_although_agents_are_paused_or_its_key_is_revoked() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.attest.accept(USER, id));
        given(fixture.amendIps.pause(USER, true));
        given(fixture.keys.revoke(USER, agent.key().id()));
        fixture.clock.advance(Duration.ofHours(25));
        sweep();
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void an_order_that_is_held_can_be_taken_back() {
        long id = acceptedWhileAway();
        given(fixture.amendIps.pause(USER, true));
        fixture.broker.away(null);
        sweep();
        given(fixture.orders.cancel(USER, id));
        fixture.clock.advance(LATE_ARRIVAL);

        sweep();

        assertThat(fixture.request(id).reason()).isEqualTo(Rejected.CANCELED);
    }

    private void pauseKey(boolean pauses) {
        KeyChange change = KeyChange.read(JsonSamples.object("{\"paused\":" + pauses + "}"))
                .orElseThrow();
        given(fixture.keys.change(USER, agent.key().id(), change));
    }

    private void sweep() {
        assertThat(fixture.orders.sweep(AT_ONCE).failures()).isEmpty();
    }
}
