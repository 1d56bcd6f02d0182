package dev.agentpolicy.domain.usecase.owner;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.port.RequestQueue.Waiting;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.LateQueue;
import dev.agentpolicy.domain.usecase.PlainCustodian.Mood;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.UnreadableQueue;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FillRequestTest {
    private static final Duration AT_ONCE = Duration.ofSeconds(-1);
    private final UseCaseFixture house = UseCaseFixture.furnished();
    private final Caller agent = house.agent("{}");
    private final long id = house.queued(agent, "buy 3000 BTC crypto");

    @Test
    void a_fill_is_told_as_a_trade_of_the_service() {
        given(house.attest.accept(USER, id));

        assertThat(house.told(EventKind.TRADE_OBSERVED)).hasSize(1);
        Document told = house.told(EventKind.TRADE_OBSERVED).get(0);
        assertThat(told.get("source")).isEqualTo("service_initiated");
        assertThat(told.get("serviceRequestId")).hasToString(Long.toString(id));
        assertThat(told.get("custodian")).isEqualTo("broker");
        assertThat(told.get("externalId")).isEqualTo("fill-of-request-" + id + "-1");
        assertThat(told.get("action")).isEqualTo("buy");
        assertThat(told.get("symbol")).isEqualTo("BTC");
        assertThat(told.get("assetType")).isEqualTo("crypto");
        assertThat(told.get("quantity")).isEqualTo("0.1");
        assertThat(told.get("price")).isEqualTo("30000");
        assertThat(told.get("amountUsd")).isEqualTo("3000");
    }

    @Test
    void what_the_custodian_refuses_waits_again_and_says_why() {
        house.custodian.is(Mood.REFUSING);

        ServiceRequest answered = given(house.attest.accept(USER, id));

        assertThat(answered).isEqualTo(house.request(id));
        assertThat(house.pending(id).isAccepted()).isFalse();
        assertThat(house.pending(id).executionError()).isEqualTo("The market is closed.");
        assertThat(house.portfolio().revision()).isEqualTo(1);
        assertThat(house.told(EventKind.TRADE_OBSERVED)).isEmpty();
    }

    @Test
    void a_new_yes_after_a_refusal_is_a_new_order() {
        house.custodian.is(Mood.REFUSING);
        given(house.attest.accept(USER, id));
        house.custodian.is(Mood.OBLIGING);

        ServiceRequest answered = given(house.attest.accept(USER, id));

        assertThat(answered.status()).isEqualTo(Status.COMPLETED);
        assertThat(house.custodian.asked()).containsExactly("request-" + id + "-1", "request-" + id + "-2");
        assertThat(house.custodian.executed()).hasSize(1);
    }

    @Test
    void a_refused_request_can_be_rejected_or_expire() {
        long other = house.queued(agent, "buy 100 BTC crypto");
        house.custodian.is(Mood.REFUSING);
        given(house.attest.accept(USER, id));
        given(house.attest.accept(USER, other));

        given(house.attest.reject(USER, id, "enough"));
        house.clock.advance(UseCaseFixture.WINDOW);
        house.expire.sweep().toCompletableFuture().join();

        assertThat(house.request(id).reason()).isEqualTo("enough");
        assertThat(house.request(other).reason()).isEqualTo("expired");
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"AWAY", "BROKEN", "MUTE"})
    void without_an_answer_the_request_stays_accepted_until_a_sweep_gets_one(Mood mood) {
        house.custodian.is(mood);
        Pending answered = (Pending) given(house.attest.accept(USER, id));
        assertThat(answered.isAccepted()).isTrue();
        assertThat(answered).isEqualTo(house.request(id));
        assertThat(house.portfolio().revision()).isEqualTo(1);

        house.custodian.is(Mood.OBLIGING);

        assertThat(sweep(AT_ONCE)).isEqualTo(1);
        assertThat(house.request(id).status()).isEqualTo(Status.COMPLETED);
        assertThat(house.custodian.asked()).containsOnly("request-" + id + "-1");
        assertThat(house.custodian.executed()).hasSize(1);
        assertThat(house.told(EventKind.TRADE_OBSERVED)).hasSize(1);
        assertThat(sweep(AT_ONCE)).isZero();
    }

    @Test
    void a_sweep_leaves_alone_what_was_just_accepted() {
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, id));
        house.custodian.is(Mood.OBLIGING);

        assertThat(sweep(Duration.ofSeconds(10))).isZero();
        house.clock.advance(Duration.ofSeconds(11));
        assertThat(sweep(Duration.ofSeconds(10))).isEqualTo(1);
    }

    @Test
    void a_sweep_goes_on_while_one_order_is_not_answered() {
        long other = house.queued(agent, "buy 100 BTC crypto");
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, id));
        given(house.attest.accept(USER, other));
        house.custodian.is(Mood.BROKEN);

        assertThat(sweep(AT_ONCE)).isEqualTo(2);
        assertThat(house.custodian.asked()).hasSize(4);
        assertThat(house.pending(other).isAccepted()).isTrue();
    }

    @Test
    void one_sweep_fills_hundreds_that_a_crash_left_behind() {
        house.custodian.is(Mood.AWAY);
        List<Long> left = Stream.generate(() -> house.agent("{}"))
                .limit(10)
                .flatMap(one -> IntStream.range(0, 25).mapToObj(i -> house.queued(one, "buy 1 BTC crypto")))
                .toList();
        left.forEach(each -> given(house.attest.accept(USER, each)));
        house.custodian.is(Mood.OBLIGING);

        assertThat(sweep(AT_ONCE)).isEqualTo(250);
        assertThat(left)
                .allSatisfy(each -> assertThat(house.request(each).status()).isEqualTo(Status.COMPLETED));
        assertThat(house.custodian.executed()).hasSize(250);
    }

    @Test
    void a_request_accepted_and_not_filled_does_not_expire() {
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, id));
        house.clock.advance(UseCaseFixture.WINDOW.plusDays(1));

        assertThat(house.expire.sweep().toCompletableFuture().join().lookedAt()).isZero();
        house.custodian.is(Mood.OBLIGING);
        sweep(Duration.ZERO);

        assertThat(house.request(id).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void the_same_settlement_twice_changes_nothing() {
        Pending accepted = accepted();
        given(house.fill.fill(accepted).thenApply(Answer::given));
        ServiceRequest completed = house.request(id);
        int rows = house.events().size();

        assertThat(house.fill.fill(accepted).toCompletableFuture().join()).isEqualTo(completed);

        assertThat(house.request(id)).isEqualTo(completed);
        assertThat(house.events()).hasSize(rows);
        assertThat(house.portfolio().revision()).isEqualTo(2);
        assertThat(house.tally(agent).completedBuys()).hasToString("3000");
        assertThat(house.custodian.executed()).hasSize(1);
    }

    @Test
    void a_refusal_that_arrives_late_does_not_undo_the_next_yes() {
        Pending first = accepted();
        house.custodian.is(Mood.LATE);
        house.custodian.refuseOnce();
        CompletionStage<ServiceRequest> slow = house.fill.fill(first);
        house.custodian.is(Mood.OBLIGING);
        assertThat(house.fill.fill(first).toCompletableFuture().join().status()).isEqualTo(Status.PENDING);
        house.custodian.is(Mood.LATE);
        CompletionStage<Answer<ServiceRequest>> second = house.attest.accept(USER, id);

        house.custodian.answerLate();

        assertThat(slow.toCompletableFuture().join().status()).isEqualTo(Status.PENDING);
        assertThat(given(second).status()).isEqualTo(Status.COMPLETED);
        assertThat(refused(house.attest.accept(USER, id)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(house.custodian.executed())
                .extracting(order -> order.clientOrderId())
                .isEqualTo(List.of("request-" + id + "-2"));
    }

    @Test
    void a_fill_that_cannot_be_recorded_is_recorded_by_a_sweep() {
        house.custodian.is(Mood.LATE);
        CompletionStage<Answer<ServiceRequest>> accepting = house.attest.accept(USER, id);
        house.store.away(true);
        house.custodian.answerLate();
        assertThat(given(accepting).status()).isEqualTo(Status.PENDING);
        house.store.away(false);
        house.custodian.is(Mood.OBLIGING);

        sweep(AT_ONCE);

        assertThat(house.request(id).status()).isEqualTo(Status.COMPLETED);
        assertThat(house.custodian.executed()).hasSize(1);
        assertThat(house.portfolio().custodian("broker")).contains(house.custodian.book(USER, "broker"));
    }

    @Test
    void a_request_that_was_not_accepted_is_no_order() {
        Pending waiting = house.pending(id);

        assertThat(house.fill.fill(waiting).toCompletableFuture().join()).isSameAs(waiting);
        assertThat(house.custodian.asked()).isEmpty();
    }

    @Test
    void a_sweep_leaves_as_it_is_what_was_resolved_meanwhile_or_is_not_there() {
        given(house.attest.accept(USER, id));
        List<Waiting> named = List.of(new Waiting(USER, id), new Waiting(USER, id + 1));
        LateQueue late = new LateQueue(house.store.requestQueue(), named);
        FillRequest sweeping = new FillRequest(house.store, late, house.custodian, house.clock);

        assertThat(sweeping.sweep(AT_ONCE).toCompletableFuture().join()).isEqualTo(new SweepResult(2, List.of()));
        assertThat(house.custodian.asked()).containsExactly("request-" + id + "-1");
        assertThat(house.request(id).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_request_that_cannot_be_read_holds_up_no_other() {
        long unreadable = id;
        long other = house.queued(agent, "buy 100 BTC crypto");
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, unreadable));
        given(house.attest.accept(USER, other));
        house.custodian.is(Mood.OBLIGING);
        FillRequest sweeping = new FillRequest(
                house.store, new UnreadableQueue(house.store.requestQueue(), unreadable), house.custodian, house.clock);

        SweepResult round = sweeping.sweep(AT_ONCE).toCompletableFuture().join();

        assertThat(round.lookedAt()).isEqualTo(2);
        assertThat(round.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.request()).isEqualTo(new Waiting(USER, unreadable));
            assertThat(failed.cause()).isSameAs(UnreadableQueue.SPOILT);
        });
        assertThat(house.request(other).status()).isEqualTo(Status.COMPLETED);
        assertThat(house.pending(unreadable).isAccepted()).isTrue();
    }

    @Test
    void a_sweep_says_what_the_custodian_did_not_do() {
        accepted();
        house.custodian.is(Mood.AWAY);

        SweepResult round = house.fill.sweep(AT_ONCE).toCompletableFuture().join();

        assertThat(round.failures()).extracting(SweepResult.Failed::request).containsExactly(new Waiting(USER, id));
    }

    @Test
    void a_sweep_ends_when_the_queue_goes_away() {
        accepted();
        List<Long> asked = new ArrayList<>();
        UnreadableQueue away =
                new UnreadableQueue(house.store.requestQueue(), asked::add, new Unavailable("The database is away."));
        List<Waiting> two = List.of(new Waiting(USER, id), new Waiting(USER, id + 1));
        FillRequest sweeping = new FillRequest(house.store, new LateQueue(away, two), house.custodian, house.clock);

        assertThatThrownBy(() -> sweeping.sweep(AT_ONCE)).isSameAs(away.trouble());
        assertThat(asked).containsExactly(id);
    }

    /** The request accepted, and nothing done about it yet. */
    private Pending accepted() {
        house.custodian.is(Mood.AWAY);
        Pending accepted = (Pending) given(house.attest.accept(USER, id));
        house.custodian.is(Mood.OBLIGING);
        return accepted;
    }

    private int sweep(Duration olderThan) {
        return house.fill.sweep(olderThan).toCompletableFuture().join().lookedAt();
    }
}
