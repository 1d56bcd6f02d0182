package dev.agentpolicy.domain.usecase.upkeep;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.port.RequestQueue.RequestRef;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.CorruptRequestQueue;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.ScriptedCustodian.Mood;
import dev.agentpolicy.domain.usecase.StaleRequestQueue;
import dev.agentpolicy.domain.usecase.SweepResult;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpireRequestsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void an_unresolved_request_is_rejected_as_expired() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);

        assertThat(sweep()).isEqualTo(1);

        ServiceRequest expired = fixture.request(id);
        assertThat(expired.status()).isEqualTo(RequestStatus.REJECTED);
        assertThat(expired.reason()).isEqualTo("expired");
        assertThat(expired.resolvedAt()).contains(SampleValues.NOON.plus(UseCaseFixture.WINDOW));
        assertThat(fixture.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
        assertThat(fixture.audit.read(USER, AuditQuery.latest(1)).get(0).request())
                .isEqualTo(expired);
    }

    @Test
    void nothing_expires_before_its_time() {
        fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW.minusNanos(1_000));

        assertThat(sweep()).isZero();
    }

    @Test
    void a_resolved_request_does_not_expire() {
        long completed = fixture.queued(agent, "buy 100 BTC crypto");
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.accept(USER, completed));
        given(fixture.attest.reject(USER, rejected, "no"));
        fixture.clock.advance(UseCaseFixture.WINDOW);

        assertThat(sweep()).isZero();
        assertThat(fixture.request(completed).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.request(rejected).reason()).isEqualTo("no");
    }

    @Test
    void a_concurrent_sweep_releases_nothing_twice() {
        fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);
        fixture.queued(agent, "buy 70 BTC crypto");

        sweep();
        sweep();

        assertThat(fixture.tally(agent).pendingBuys()).isEqualTo(Usd.of(70));
    }

    @Test
    void a_sweep_handles_a_hundred_requests_and_the_next_one_the_rest() {
        for (int i = 0; i < 6; i++) {
            Caller one = fixture.agent("{}");
            for (int j = 0; j < 25 && i * 25 + j < 130; j++) {
                fixture.queued(one, "sell 1 BTC crypto");
            }
        }
        fixture.clock.advance(UseCaseFixture.WINDOW.plus(Duration.ofDays(1)));

        assertThat(sweep()).isEqualTo(100);
        assertThat(sweep()).isEqualTo(30);
        assertThat(sweep()).isZero();
    }

    @Test
    void a_sweep_skips_requests_that_changed_or_were_deleted_meanwhile() {
        long completed = fixture.queued(agent, "buy 100 BTC crypto");
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        long accepted = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.accept(USER, completed));
        given(fixture.attest.reject(USER, rejected, "no"));
        fixture.custodian.is(Mood.AWAY);
        given(fixture.attest.accept(USER, accepted));
        fixture.clock.advance(UseCaseFixture.WINDOW);
        List<RequestRef> named = Stream.of(completed, rejected, accepted, accepted + 1)
                .map(id -> new RequestRef(USER, id))
                .toList();
        ExpireRequests late = new ExpireRequests(
                fixture.store,
                new StaleRequestQueue(fixture.store.requestQueue(), named),
                fixture.threads,
                fixture.clock);

        assertThat(late.sweep()).isEqualTo(new SweepResult(4, List.of()));
        assertThat(fixture.request(completed).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(fixture.request(rejected).reason()).isEqualTo("no");
        assertThat(fixture.pending(accepted).isAccepted()).isTrue();
        assertThat(fixture.tally(agent).pendingBuys()).isEqualTo(Usd.of(100));
    }

    @Test
    void an_unreadable_request_does_not_stop_a_sweep() {
        long unreadable = fixture.queued(agent, "buy 100 BTC crypto");
        long other = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);
        ExpireRequests sweeping = new ExpireRequests(
                fixture.store,
                new CorruptRequestQueue(fixture.store.requestQueue(), unreadable),
                fixture.threads,
                fixture.clock);

        SweepResult round = sweeping.sweep();

        assertThat(round.examined()).isEqualTo(2);
        assertThat(round.failures())
                .containsExactly(new SweepResult.Failed(new RequestRef(USER, unreadable), CorruptRequestQueue.SPOILT));
        assertThat(fixture.request(other).status()).isEqualTo(RequestStatus.REJECTED);
        assertThat(fixture.request(unreadable).status()).isEqualTo(RequestStatus.PENDING);
    }

    private int sweep() {
        return fixture.expire.sweep().examined();
    }

    @Test
    void an_expiry_after_midnight_does_not_reset_the_calls_for_a_node_with_a_slow_clock() {
        Instant midnight = Instant.parse("2026-11-29T00:00:00Z");
        fixture.clock.set(midnight.minus(UseCaseFixture.WINDOW));
        Caller capped = fixture.agent("{\"dailyCallCap\":1}");
        fixture.queued(capped, "buy 100 BTC crypto");
        fixture.clock.set(midnight.minusMillis(2));
        fixture.validated(capped, "buy 100 BTC crypto");
        fixture.clock.set(midnight.plusMillis(1));
        fixture.expire.sweep();
        fixture.clock.set(midnight.minusMillis(1));

        Refusal refusal = UseCaseFixture.refused(fixture.validate.one(capped, SampleValues.sent("buy 100 BTC crypto")));

        assertThat(refusal.code()).isEqualTo(Refusal.Code.DAILY_CALL_CAP);
    }
}
