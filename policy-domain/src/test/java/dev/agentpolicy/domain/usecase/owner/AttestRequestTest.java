package dev.agentpolicy.domain.usecase.owner;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.PlainCustodian;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AttestRequestTest {
    private final UseCaseFixture house = UseCaseFixture.furnished();
    private final Caller agent = house.agent("{}");

    @Test
    void an_accepted_request_is_executed_and_completed() {
        long id = house.queued(agent, "buy 3000 BTC crypto");

        ServiceRequest answered = given(house.attest.accept(USER, id));

        assertThat(answered).isInstanceOf(Completed.class).isEqualTo(house.request(id));
        assertThat(answered.resolvedAt()).contains(SampleValues.NOON);
        assertThat(answered.reason()).isNull();
        assertThat(((Completed) answered).execution().amountUsd()).isEqualTo(Usd.of(3000));
        assertThat(((Completed) answered).execution().custodian()).isEqualTo("broker");
        assertThat(house.portfolio().snapshot().orElseThrow().crypto()).isEqualTo(Usd.of(33_000));
        assertThat(house.portfolio().snapshot().orElseThrow().cash()).isEqualTo(Usd.of(12_000));
    }

    @Test
    void the_yes_is_a_decision_of_the_user_with_the_circumstances_of_that_moment() {
        long id = house.queued(agent, "buy 3000 BTC crypto");
        house.hold(29_000, 56_000, 15_000);
        house.clock.advance(Duration.ofHours(1));

        given(house.attest.accept(USER, id));

        DecisionRecord told = lastDecision();
        assertThat(told.kind()).isEqualTo(Kind.ATTESTATION);
        assertThat(told.actor()).isEqualTo(DecisionRecord.Actor.USER);
        assertThat(told.attestation()).isEqualTo(new Attestation(true, null));
        assertThat(told.isAllowed()).isTrue();
        assertThat(told.reason()).isEqualTo("Within policy");
        assertThat(told.serviceRequestId()).isEqualTo(id);
        assertThat(told.agentKeyId()).isEqualTo(agent.key().id());
        assertThat(told.held()).isEqualTo(Usd.of(29_000));
        assertThat(told.decision().checkedAt()).isEqualTo(SampleValues.NOON.plus(Duration.ofHours(1)));
    }

    @Test
    void a_rejected_request_keeps_the_reason_and_moves_nothing() {
        long id = house.queued(agent, "buy 3000 BTC crypto");

        Rejected rejected = (Rejected) given(house.attest.reject(USER, id, "Not today"));

        assertThat(rejected.reason()).isEqualTo("Not today");
        assertThat(house.request(id)).isEqualTo(rejected);
        assertThat(house.custodian.asked()).isEmpty();
        assertThat(house.portfolio().revision()).isEqualTo(1);
        assertThat(lastDecision().attestation()).isEqualTo(new Attestation(false, "Not today"));
        assertThat(lastDecision().isAllowed()).isFalse();
        assertThat(lastDecision().reason()).isEqualTo("Rejected by the user: Not today");
    }

    @Test
    void a_request_can_be_rejected_without_a_reason() {
        long id = house.queued(agent, "buy 3000 BTC crypto");

        assertThat(given(house.attest.reject(USER, id, null)).reason()).isNull();
        assertThat(lastDecision().reason()).isEqualTo("Rejected by the user");
    }

    @Test
    void a_trade_that_breaks_the_policy_of_now_stays_pending() {
        long id = house.queued(agent, "buy 3000 BTC crypto");
        given(house.amendIps.put(
                USER,
                SampleValues.ips(
                        "{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.32},\"allowedActions\":[\"sell\"]}")));

        Refusal blocked = refused(house.attest.accept(USER, id));

        assertThat(blocked.code()).isEqualTo(Code.POLICY_BLOCKED);
        assertThat(blocked.violations())
                .extracting(violation -> violation.rule())
                .containsExactly(Rule.ACTION_NOT_ALLOWED, Rule.CRYPTO_MAX_ALLOCATION);
        assertThat(blocked.request()).isEqualTo(house.request(id));
        assertThat(house.request(id).status()).isEqualTo(Status.PENDING);
        assertThat(house.pending(id).isAccepted()).isFalse();
        assertThat(house.custodian.asked()).isEmpty();
        assertThat(lastDecision().isAllowed()).isFalse();
        assertThat(lastDecision().attestation()).isEqualTo(new Attestation(true, null));
    }

    @Test
    void a_blocked_request_can_be_accepted_once_the_policy_allows_it_again() {
        long id = house.queued(agent, "buy 3000 BTC crypto");
        house.hold(34_000, 55_000, 11_000);
        assertThat(refused(house.attest.accept(USER, id)).code()).isEqualTo(Code.POLICY_BLOCKED);

        house.hold(30_000, 55_000, 15_000);

        assertThat(given(house.attest.accept(USER, id)).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void a_resolved_request_cannot_be_attested_again() {
        long completed = house.queued(agent, "buy 100 BTC crypto");
        long rejected = house.queued(agent, "buy 100 BTC crypto");
        given(house.attest.accept(USER, completed));
        given(house.attest.reject(USER, rejected, "no"));
        int rows = house.events().size();

        for (long id : new long[] {completed, rejected}) {
            assertThat(refused(house.attest.accept(USER, id)))
                    .isEqualTo(refused(house.attest.reject(USER, id, "again")))
                    .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Code.ALREADY_RESOLVED))
                    .satisfies(refusal -> assertThat(refusal.request()).isEqualTo(house.request(id)));
        }
        assertThat(house.events()).hasSize(rows);
        assertThat(house.custodian.executed()).hasSize(1);
    }

    @Test
    void a_request_that_is_being_executed_cannot_be_attested() {
        long id = house.queued(agent, "buy 100 BTC crypto");
        house.custodian.is(PlainCustodian.Mood.AWAY);
        given(house.attest.accept(USER, id));

        assertThat(refused(house.attest.accept(USER, id)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refused(house.attest.reject(USER, id, null)).request()).isEqualTo(house.pending(id));
        assertThat(house.custodian.asked()).hasSize(1);
    }

    @Test
    void a_request_whose_time_is_over_expires_when_it_is_attested() {
        long accepted = house.queued(agent, "buy 100 BTC crypto");
        long rejected = house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW);

        Refusal late = refused(house.attest.accept(USER, accepted));

        assertThat(late.code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(late.request().reason()).isEqualTo(Rejected.EXPIRED);
        assertThat(house.request(accepted)).isEqualTo(late.request());
        assertThat(refused(house.attest.reject(USER, rejected, "no")).request().reason())
                .isEqualTo(Rejected.EXPIRED);
        assertThat(house.custodian.asked()).isEmpty();
        assertThat(house.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
    }

    @Test
    void the_last_moment_is_still_in_time() {
        long id = house.queued(agent, "buy 100 BTC crypto");
        house.clock.advance(UseCaseFixture.WINDOW.minusNanos(1_000));

        assertThat(given(house.attest.accept(USER, id)).status()).isEqualTo(Status.COMPLETED);
    }

    @Test
    void another_users_request_is_not_there() {
        long id = house.queued(agent, "buy 100 BTC crypto");
        UserId stranger = new UserId(new UUID(7, 7));

        assertThat(refused(house.attest.accept(stranger, id)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(house.attest.reject(stranger, id, null)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(house.attest.accept(USER, id + 1)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(house.request(id).status()).isEqualTo(Status.PENDING);
    }

    @Test
    void a_trade_no_custodian_can_make_stays_pending_and_says_why() {
        long id = house.queued(agent, "buy 9000 SPY tradfi");
        house.holdElsewhere("second", 8_000);
        house.hold(30_000, 55_000, 8_000);

        ServiceRequest waiting = given(house.attest.accept(USER, id));

        assertThat(waiting).isEqualTo(house.request(id));
        assertThat(house.pending(id).isAccepted()).isFalse();
        assertThat(house.pending(id).executionError())
                .isEqualTo("No single custodian has 9000 USD in cash for this buy.");
        assertThat(house.custodian.asked()).isEmpty();
    }

    private DecisionRecord lastDecision() {
        return house.audit.read(USER, AuditQuery.latest(1)).get(0).decision();
    }
}
