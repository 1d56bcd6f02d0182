package dev.agentpolicy.domain.usecase.upkeep;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.port.RequestQueue.Waiting;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.LateQueue;
import dev.agentpolicy.domain.usecase.PlainCustodian.Mood;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.UnreadableQueue;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpireRequestsTest {
    private final UseCaseFixture house = UseCaseFixture.furnished();
    private final Caller agent = house.agent("{}");

    @Test
    void a_request_nobody_resolved_is_rejected_as_expired() {
        long id = house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW);

        assertThat(sweep()).isEqualTo(1);

        ServiceRequest expired = house.request(id);
        assertThat(expired.status()).isEqualTo(Status.REJECTED);
        assertThat(expired.reason()).isEqualTo("expired");
        assertThat(expired.resolvedAt()).contains(SampleValues.NOON.plus(UseCaseFixture.WINDOW));
        assertThat(house.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(house.audit.read(USER, AuditQuery.latest(1)).get(0).request())
                .isEqualTo(expired);
    }

    @Test
    void nothing_expires_before_its_time() {
        house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW.minusNanos(1_000));

        assertThat(sweep()).isZero();
    }

    @Test
    void what_is_resolved_stays_as_it_is() {
        long completed = house.queued(agent, "buy 100 BTC crypto");
        long rejected = house.queued(agent, "buy 100 BTC crypto");
        given(house.attest.accept(USER, completed));
        given(house.attest.reject(USER, rejected, "no"));
        house.clock.advance(UseCaseFixture.WINDOW);

        assertThat(sweep()).isZero();
        assertThat(house.request(completed).status()).isEqualTo(Status.COMPLETED);
        assertThat(house.request(rejected).reason()).isEqualTo("no");
    }

    @Test
    void a_second_sweep_at_the_same_time_releases_nothing_twice() {
        house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW);
        house.queued(agent, "buy 70 BTC crypto");

        sweep();
        sweep();

        assertThat(house.tally(agent).pendingBuys()).isEqualTo(Usd.of(70));
    }

    @Test
    void a_sweep_takes_a_hundred_and_the_next_the_rest() {
        for (int i = 0; i < 6; i++) {
            Caller one = house.agent("{}");
            for (int j = 0; j < 25 && i * 25 + j < 130; j++) {
                house.queued(one, "sell 1 BTC crypto");
            }
        }
        house.clock.advance(UseCaseFixture.WINDOW.plus(Duration.ofDays(1)));

        assertThat(sweep()).isEqualTo(100);
        assertThat(sweep()).isEqualTo(30);
        assertThat(sweep()).isZero();
    }

    @Test
    void a_sweep_leaves_as_it_is_what_moved_since_it_was_named_or_is_not_there() {
        long completed = house.queued(agent, "buy 100 BTC crypto");
        long rejected = house.queued(agent, "buy 100 BTC crypto");
        long accepted = house.queued(agent, "buy 100 BTC crypto");
        given(house.attest.accept(USER, completed));
        given(house.attest.reject(USER, rejected, "no"));
        house.custodian.is(Mood.AWAY);
        given(house.attest.accept(USER, accepted));
        house.clock.advance(UseCaseFixture.WINDOW);
        List<Waiting> named = Stream.of(completed, rejected, accepted, accepted + 1)
                .map(id -> new Waiting(USER, id))
                .toList();
        ExpireRequests late =
                new ExpireRequests(house.store, new LateQueue(house.store.requestQueue(), named), house.clock);

        assertThat(late.sweep().toCompletableFuture().join()).isEqualTo(new SweepResult(4, List.of()));
        assertThat(house.request(completed).status()).isEqualTo(Status.COMPLETED);
        assertThat(house.request(rejected).reason()).isEqualTo("no");
        assertThat(house.pending(accepted).isAccepted()).isTrue();
        assertThat(house.tally(agent).pendingBuys()).isEqualTo(Usd.of(100));
    }

    @Test
    void a_request_that_cannot_be_read_holds_up_no_other() {
        long unreadable = house.queued(agent, "buy 100 BTC crypto");
        long other = house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW);
        ExpireRequests sweeping = new ExpireRequests(
                house.store, new UnreadableQueue(house.store.requestQueue(), unreadable), house.clock);

        SweepResult round = sweeping.sweep().toCompletableFuture().join();

        assertThat(round.lookedAt()).isEqualTo(2);
        assertThat(round.failures())
                .containsExactly(new SweepResult.Failed(new Waiting(USER, unreadable), UnreadableQueue.SPOILT));
        assertThat(house.request(other).status()).isEqualTo(Status.REJECTED);
        assertThat(house.request(unreadable).status()).isEqualTo(Status.PENDING);
    }

    private int sweep() {
        return house.expire.sweep().toCompletableFuture().join().lookedAt();
    }

    @Test
    void an_expiry_seen_after_midnight_gives_no_calls_back_to_a_node_that_is_still_before_it() {
        Instant midnight = Instant.parse("2026-11-29T00:00:00Z");
        house.clock.set(midnight.minus(UseCaseFixture.WINDOW));
        Caller capped = house.agent("{\"dailyCallCap\":1}");
        house.queued(capped, "buy 100 BTC crypto");
        house.clock.set(midnight.minusMillis(2));
        house.validated(capped, "buy 100 BTC crypto");
        house.clock.set(midnight.plusMillis(1));
        house.expire.sweep().toCompletableFuture().join();
        house.clock.set(midnight.minusMillis(1));

        Refusal refusal = UseCaseFixture.refused(house.validate.one(capped, SampleValues.sent("buy 100 BTC crypto")));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.DAILY_CALL_CAP);
    }
}
