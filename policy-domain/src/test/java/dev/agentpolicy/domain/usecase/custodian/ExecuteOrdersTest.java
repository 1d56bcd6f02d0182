package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.port.RequestQueue.RequestRef;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.CorruptRequestQueue;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.ScriptedCustodian.Mood;
import dev.agentpolicy.domain.usecase.StaleRequestQueue;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExecuteOrdersTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final long id = fixture.queued(agent, "buy 3000 BTC crypto");

    @Test
    void a_fill_is_recorded_as_a_trade_with_its_request() {
        given(fixture.attest.accept(USER, id));

        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED)).hasSize(1);
        Document observed = fixture.payloads(EventKind.TRADE_OBSERVED).get(0);
        assertThat(observed.get("source")).isEqualTo("service_initiated");
        assertThat(observed.get("serviceRequestId")).hasToString(Long.toString(id));
        assertThat(observed.get("custodian")).isEqualTo("broker");
        assertThat(observed.get("externalId")).isEqualTo("paper-" + orderId(1));
        assertThat(observed.get("action")).isEqualTo("buy");
        assertThat(observed.get("symbol")).isEqualTo("BTC");
        assertThat(observed.get("assetType")).isEqualTo("crypto");
        assertThat(observed.get("quantity")).isEqualTo("0.1");
        assertThat(observed.get("price")).isEqualTo("30000");
        assertThat(observed.get("amountUsd")).isEqualTo("3000");
    }

    @Test
    void an_unknown_order_may_still_be_on_its_way_for_two_minutes_after_it_was_taken_back() {
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        fixture.custodian.is(Mood.OBLIGING);
        fixture.clock.advance(Duration.ofMinutes(10));

        given(fixture.orders.cancel(USER, id));
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        fixture.clock.advance(Duration.ofMinutes(3));
        assertThat(fixture.orders.sweep(AT_ONCE).failures()).isEmpty();
        assertThat(fixture.request(id).reason()).isEqualTo("canceled");
        assertThat(fixture.custodian.executed()).isEmpty();
    }

    @Test
    void a_refused_order_makes_the_request_wait_again_with_the_reason() {
        fixture.custodian.is(Mood.REFUSING);

        ServiceRequest answered = given(fixture.attest.accept(USER, id));

        assertThat(answered).isEqualTo(fixture.request(id));
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError()).isEqualTo("The market is closed.");
        assertThat(fixture.portfolio().snapshot().orElseThrow().crypto()).isEqualTo(Usd.of(30_000));
        assertThat(fixture.portfolio().custodian("broker").orElseThrow().openOrders())
                .isEmpty();
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED)).isEmpty();
    }

    @Test
    void a_new_acceptance_after_a_refusal_makes_a_new_order() {
        fixture.custodian.is(Mood.REFUSING);
        given(fixture.attest.accept(USER, id));
        fixture.custodian.is(Mood.OBLIGING);

        ServiceRequest answered = given(fixture.attest.accept(USER, id));

        assertThat(answered.status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.custodian.asked()).containsExactly(orderId(1), orderId(2));
        assertThat(fixture.custodian.executed()).hasSize(1);
    }

    @Test
    void a_request_whose_order_was_refused_can_be_rejected_or_expire() {
        long other = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.custodian.is(Mood.REFUSING);
        given(fixture.attest.accept(USER, id));
        given(fixture.attest.accept(USER, other));

        given(fixture.attest.reject(USER, id, "enough"));
        fixture.clock.advance(UseCaseFixture.WINDOW);
        fixture.expire.sweep();

        assertThat(fixture.request(id).reason()).isEqualTo("enough");
        assertThat(fixture.request(other).reason()).isEqualTo("expired");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"AWAY", "BROKEN", "MUTE"})
    void without_a_result_the_request_stays_accepted_until_a_sweep_gets_one(Mood mood) {
        fixture.custodian.is(mood);
        Pending answered = (Pending) given(fixture.attest.accept(USER, id));
        assertThat(answered.isAccepted()).isTrue();
        assertThat(answered.order().clientOrderId())
                .isEqualTo(fixture.pending(id).order().clientOrderId());
        assertThat(fixture.pending(id).order().bound().limit()).isEqualTo(Usd.of(30_300));
        assertThat(fixture.portfolio().custodian("broker").orElseThrow().cash()).isEqualTo(Usd.of(15_000));
        assertThat(fixture.portfolio().snapshot().orElseThrow().cash()).isEqualTo(Usd.of(12_000));

        fixture.custodian.is(Mood.OBLIGING);

        assertThat(sweep(AT_ONCE)).isEqualTo(1);
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.custodian.asked()).containsOnly(orderId(1));
        assertThat(fixture.custodian.executed()).hasSize(1);
        assertThat(fixture.payloads(EventKind.TRADE_OBSERVED)).hasSize(1);
        assertThat(sweep(AT_ONCE)).isZero();
    }

    @Test
    void a_sweep_ignores_recently_accepted_requests() {
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        fixture.custodian.is(Mood.OBLIGING);

        assertThat(sweep(Duration.ofSeconds(10))).isZero();
        fixture.clock.advance(Duration.ofSeconds(11));
        assertThat(sweep(Duration.ofSeconds(10))).isEqualTo(1);
    }

    @Test
    void a_sweep_continues_while_one_order_has_no_result() {
        long other = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        given(fixture.attest.accept(USER, other));
        fixture.custodian.is(Mood.BROKEN);

        assertThat(sweep(AT_ONCE)).isEqualTo(2);
        assertThat(fixture.custodian.asked()).hasSize(4);
        assertThat(fixture.pending(other).isAccepted()).isTrue();
    }

    @Test
    void one_sweep_fills_hundreds_of_requests_left_by_a_crash() {
        fixture.custodian.is(Mood.AWAY);
        List<Long> left = Stream.generate(() -> fixture.agent("{}"))
                .limit(10)
                .flatMap(one -> IntStream.range(0, 25).mapToObj(i -> fixture.queued(one, "buy 1 BTC crypto")))
                .toList();
        left.forEach(each -> given(fixture.attest.accept(USER, each)));
        fixture.custodian.is(Mood.OBLIGING);

        assertThat(sweep(AT_ONCE)).isEqualTo(250);
        assertThat(left)
                .allSatisfy(each -> assertThat(fixture.request(each).status()).isEqualTo(RequestStatus.COMPLETED));
        assertThat(fixture.custodian.executed()).hasSize(250);
    }

    @Test
    void an_accepted_request_does_not_expire() {
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, id));
        fixture.clock.advance(UseCaseFixture.WINDOW.plusDays(1));

        assertThat(fixture.expire.sweep().examined()).isZero();
        fixture.custodian.is(Mood.OBLIGING);
        sweep(Duration.ZERO);

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void the_same_order_result_twice_changes_nothing() {
        Pending accepted = accepted();
        fixture.orders.execute(accepted);
        ServiceRequest completed = fixture.request(id);
        int rows = fixture.events().size();

        assertThat(fixture.orders.execute(accepted)).isEqualTo(completed);

        assertThat(fixture.request(id)).isEqualTo(completed);
        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.portfolio().revision()).isEqualTo(3);
        assertThat(fixture.tally(agent).completedBuys()).hasToString("3000");
        assertThat(fixture.custodian.executed()).hasSize(1);
    }

    @Test
    void a_late_refusal_does_not_undo_the_next_acceptance() {
        Pending first = accepted();
        fixture.custodian.refuseOnce();
        CompletableFuture<ServiceRequest> slow = fixture.custodian.late(() -> fixture.orders.execute(first));
        assertThat(fixture.orders.execute(first).status()).isEqualTo(RequestStatus.PENDING);
        CompletableFuture<Answer<ServiceRequest>> second =
                fixture.custodian.late(() -> fixture.attest.accept(USER, id));

        fixture.custodian.answerLate();
        assertThat(slow.join().status()).isEqualTo(RequestStatus.PENDING);
        fixture.custodian.answerLate();

        assertThat(given(second).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(refused(fixture.attest.accept(USER, id)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(fixture.custodian.executed())
                .extracting(order -> order.clientOrderId())
                .isEqualTo(List.of(orderId(2)));
    }

    @Test
    void a_fill_that_cannot_be_recorded_is_recorded_by_a_sweep() {
        CompletableFuture<Answer<ServiceRequest>> accepting =
                fixture.custodian.late(() -> fixture.attest.accept(USER, id));
        fixture.store.away(true);
        fixture.custodian.answerLate();
        assertThat(given(accepting).status()).isEqualTo(RequestStatus.PENDING);
        fixture.store.away(false);

        sweep(AT_ONCE);

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.custodian.executed()).hasSize(1);
        assertThat(fixture.portfolio().custodian("broker")).contains(fixture.custodian.held(USER, "broker"));
    }

    @Test
    void a_request_that_was_not_accepted_makes_no_order() {
        Pending waiting = fixture.pending(id);

        assertThat(fixture.orders.execute(waiting)).isSameAs(waiting);
        assertThat(fixture.custodian.asked()).isEmpty();
    }

    @Test
    void a_sweep_skips_requests_that_were_resolved_or_deleted_meanwhile() {
        given(fixture.attest.accept(USER, id));
        List<RequestRef> named = List.of(new RequestRef(USER, id), new RequestRef(USER, id + 1));
        StaleRequestQueue late = new StaleRequestQueue(fixture.store.requestQueue(), named);
        ExecuteOrders sweeping = fixture.orders(late);

        assertThat(sweeping.sweep(AT_ONCE)).isEqualTo(new SweepResult(2, List.of()));
        assertThat(fixture.custodian.asked()).containsExactly(orderId(1));
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void an_unreadable_request_does_not_stop_a_sweep() {
        long unreadable = id;
        long other = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, unreadable));
        given(fixture.attest.accept(USER, other));
        fixture.custodian.is(Mood.OBLIGING);
        ExecuteOrders sweeping = fixture.orders(new CorruptRequestQueue(fixture.store.requestQueue(), unreadable));

        SweepResult round = sweeping.sweep(AT_ONCE);

        assertThat(round.examined()).isEqualTo(2);
        assertThat(round.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.request()).isEqualTo(new RequestRef(USER, unreadable));
            assertThat(failed.cause()).isSameAs(CorruptRequestQueue.SPOILT);
        });
        assertThat(fixture.request(other).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.pending(unreadable).isAccepted()).isTrue();
    }

    @Test
    void a_bug_of_the_custodian_is_reported_although_the_acceptance_succeeds() {
        fixture.custodian.is(Mood.BROKEN);

        assertThat(((Pending) given(fixture.attest.accept(USER, id))).isAccepted())
                .isTrue();

        assertThat(fixture.failures)
                .singleElement()
                .isInstanceOf(IllegalStateException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo("Nobody listens.");
    }

    @Test
    void a_sweep_reports_orders_that_failed() {
        accepted();
        fixture.custodian.is(Mood.BROKEN);

        SweepResult round = fixture.orders.sweep(AT_ONCE);

        assertThat(round.failures()).extracting(SweepResult.Failed::request).containsExactly(new RequestRef(USER, id));
    }

    @Test
    void a_sweep_fails_when_the_queue_is_unavailable() {
        accepted();
        List<Long> asked = new ArrayList<>();
        CorruptRequestQueue away = new CorruptRequestQueue(
                fixture.store.requestQueue(), asked::add, new Unavailable("The database is away."));
        List<RequestRef> two = List.of(new RequestRef(USER, id), new RequestRef(USER, id + 1));
        ExecuteOrders sweeping = fixture.orders(new StaleRequestQueue(away, two));

        assertThatThrownBy(() -> sweeping.sweep(AT_ONCE)).isSameAs(away.trouble());
        assertThat(asked).containsExactly(id);
    }

    /** A request that is accepted and not yet sent to the custodian. */
    private Pending accepted() {
        fixture.custodian.is(Mood.AWAY);
        Pending accepted = (Pending) given(fixture.attest.accept(USER, id));
        fixture.custodian.is(Mood.OBLIGING);
        return accepted;
    }

    private String orderId(int attempt) {
        return "request-" + id + "-" + attempt + "-hod85snpc0";
    }

    private int sweep(Duration olderThan) {
        return fixture.orders.sweep(olderThan).examined();
    }
}
