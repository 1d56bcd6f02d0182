package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.ScriptedCustodian;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AttestRequestTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");

    @Test
    void an_accepted_request_is_executed_and_completed() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        ServiceRequest answered = given(fixture.attest.accept(USER, id));

        assertThat(answered).isInstanceOf(Completed.class).isEqualTo(fixture.request(id));
        assertThat(answered.resolvedAt()).contains(SampleValues.NOON);
        assertThat(answered.reason()).isNull();
        assertThat(((Completed) answered).order().filledUsd()).isEqualTo(Usd.of(3000));
        assertThat(((Completed) answered).order().custodian()).isEqualTo("broker");
        assertThat(fixture.portfolio().snapshot().orElseThrow().crypto()).isEqualTo(Usd.of(33_000));
        assertThat(fixture.portfolio().snapshot().orElseThrow().cash()).isEqualTo(Usd.of(12_000));
    }

    @Test
    void many_small_acceptances_of_a_day_need_a_passkey_as_one_large_one_does() {
        demandAbove(250);
        for (int i = 0; i < 2; i++) {
            given(fixture.attest.accept(USER, fixture.queued(agent, "buy 100 BTC crypto")));
        }
        given(fixture.attest.accept(USER, fixture.queued(agent, "sell 50 BTC crypto")));
        long beyond = fixture.queued(agent, "buy 0.01 BTC crypto");

        assertThat(refused(fixture.attest.accept(USER, beyond)).code()).isEqualTo(Code.PASSKEY_REQUIRED);
        fixture.clock.advance(Duration.ofHours(24).minusNanos(1000));
        assertThat(refused(fixture.attest.accept(USER, beyond)).code()).isEqualTo(Code.PASSKEY_REQUIRED);
        fixture.clock.advance(Duration.ofNanos(1000));
        given(fixture.attest.accept(USER, beyond));
    }

    @Test
    void an_acceptance_that_was_not_executed_does_not_count_towards_the_amount_of_a_day() {
        demandAbove(250);
        fixture.custodian.refuseOnce();
        long id = fixture.queued(agent, "buy 200 BTC crypto");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.pending(id).isAccepted()).isFalse();

        given(fixture.attest.accept(USER, id));

        assertThat(refused(fixture.attest.accept(USER, fixture.queued(agent, "buy 51 BTC crypto")))
                        .code())
                .isEqualTo(Code.PASSKEY_REQUIRED);
        given(fixture.attest.accept(USER, fixture.queued(agent, "buy 50 BTC crypto")));
    }

    private void demandAbove(long usd) {
        OwnerPasskeys demanded = OwnerPasskeys.NONE.requiredAbove(Usd.of(usd));
        fixture.store.change(USER, account -> new Recording().passkeys(demanded).answer(receipts -> demanded));
    }

    @Test
    void an_acceptance_is_recorded_as_a_decision_with_its_context() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.hold(29_000, 56_000, 15_000);
        fixture.clock.advance(Duration.ofHours(1));

        given(fixture.attest.accept(USER, id));

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
    void a_rejected_request_keeps_the_reason_and_changes_no_holdings() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        Rejected rejected = (Rejected) given(fixture.attest.reject(USER, id, "Not today"));

        assertThat(rejected.reason()).isEqualTo("Not today");
        assertThat(fixture.request(id)).isEqualTo(rejected);
        assertThat(fixture.custodian.asked()).isEmpty();
        assertThat(fixture.portfolio().revision()).isEqualTo(1);
        assertThat(lastDecision().attestation()).isEqualTo(new Attestation(false, "Not today"));
        assertThat(lastDecision().isAllowed()).isFalse();
        assertThat(lastDecision().reason()).isEqualTo("Rejected by the user: Not today");
    }

    @Test
    void a_request_can_be_rejected_without_a_reason() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");

        assertThat(given(fixture.attest.reject(USER, id, null)).reason()).isNull();
        assertThat(lastDecision().reason()).isEqualTo("Rejected by the user");
    }

    @Test
    void a_trade_that_violates_the_current_policy_stays_pending() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        given(fixture.amendIps.put(
                USER,
                SampleValues.ips(
                        "{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.32},\"allowedActions\":[\"sell\"]}")));

        Refusal blocked = refused(fixture.attest.accept(USER, id));

        assertThat(blocked.code()).isEqualTo(Code.POLICY_BLOCKED);
        assertThat(blocked.violations())
                .extracting(violation -> violation.rule())
                .containsExactly(Rule.ACTION_NOT_ALLOWED, Rule.CRYPTO_MAX_ALLOCATION);
        assertThat(blocked.request()).isEqualTo(fixture.request(id));
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.PENDING);
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.custodian.asked()).isEmpty();
        assertThat(lastDecision().isAllowed()).isFalse();
        assertThat(lastDecision().attestation()).isEqualTo(new Attestation(true, null));
    }

    @Test
    void a_blocked_request_can_be_accepted_once_the_policy_allows_it_again() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.hold(34_000, 55_000, 11_000);
        assertThat(refused(fixture.attest.accept(USER, id)).code()).isEqualTo(Code.POLICY_BLOCKED);

        fixture.hold(30_000, 55_000, 15_000);

        assertThat(given(fixture.attest.accept(USER, id)).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void a_resolved_request_cannot_be_attested_again() {
        long completed = fixture.queued(agent, "buy 100 BTC crypto");
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        given(fixture.attest.accept(USER, completed));
        given(fixture.attest.reject(USER, rejected, "no"));
        int rows = fixture.events().size();

        for (long id : new long[] {completed, rejected}) {
            assertThat(refused(fixture.attest.accept(USER, id)))
                    .isEqualTo(refused(fixture.attest.reject(USER, id, "again")))
                    .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Code.ALREADY_RESOLVED))
                    .satisfies(refusal -> assertThat(refusal.request()).isEqualTo(fixture.request(id)));
        }
        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.custodian.executed()).hasSize(1);
    }

    @Test
    void a_request_that_is_being_executed_cannot_be_attested() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.custodian.is(ScriptedCustodian.Mood.AWAY);
        given(fixture.attest.accept(USER, id));

        assertThat(refused(fixture.attest.accept(USER, id)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refused(fixture.attest.reject(USER, id, null)).request()).isEqualTo(fixture.pending(id));
        assertThat(fixture.custodian.asked()).hasSize(1);
    }

    @Test
    void an_expired_request_is_rejected_when_it_is_attested() {
        long accepted = fixture.queued(agent, "buy 100 BTC crypto");
        long rejected = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW);

        Refusal late = refused(fixture.attest.accept(USER, accepted));

        assertThat(late.code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(late.request().reason()).isEqualTo(Rejected.EXPIRED);
        assertThat(fixture.request(accepted)).isEqualTo(late.request());
        assertThat(refused(fixture.attest.reject(USER, rejected, "no"))
                        .request()
                        .reason())
                .isEqualTo(Rejected.EXPIRED);
        assertThat(fixture.custodian.asked()).isEmpty();
        assertThat(fixture.tally(agent).pendingBuys()).isEqualTo(Usd.ZERO);
    }

    @Test
    void a_request_can_be_accepted_until_it_expires() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        fixture.clock.advance(UseCaseFixture.WINDOW.minusNanos(1_000));

        assertThat(given(fixture.attest.accept(USER, id)).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void a_request_of_another_user_is_not_found() {
        long id = fixture.queued(agent, "buy 100 BTC crypto");
        UserId stranger = new UserId(new UUID(7, 7));

        assertThat(refused(fixture.attest.accept(stranger, id)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.attest.reject(stranger, id, null)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.attest.accept(USER, id + 1)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.PENDING);
    }

    @Test
    void a_trade_that_no_custodian_can_execute_stays_pending_with_the_reason() {
        long id = fixture.queued(agent, "buy 9000 SPY tradfi");
        fixture.holdElsewhere("second", 8_000);
        fixture.hold(30_000, 55_000, 8_000);

        ServiceRequest waiting = given(fixture.attest.accept(USER, id));

        assertThat(waiting).isEqualTo(fixture.request(id));
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError())
                .isEqualTo("No single custodian has 9000 USD in cash for this buy.");
        assertThat(fixture.custodian.asked()).isEmpty();
    }

    private DecisionRecord lastDecision() {
        return fixture.audit.read(USER, AuditQuery.latest(1)).get(0).decision();
    }
}
