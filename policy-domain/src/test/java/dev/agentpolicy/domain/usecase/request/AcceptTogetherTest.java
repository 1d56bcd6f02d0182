package dev.agentpolicy.domain.usecase.request;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.RequestReview;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several requests that are accepted in one call. */
class AcceptTogetherTest {
    private static final RelyingParty PARTY = new RelyingParty("localhost", "http://localhost:8080");

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final Caller other = fixture.agent("{}");

    @Test
    void all_are_executed_in_the_order_given() {
        long first = fixture.queued(agent, "buy 1000 BTC crypto");
        long second = fixture.queued(other, "sell 3000 BTC crypto");

        List<ServiceRequest> accepted = given(together(second, first));

        assertThat(accepted).extracting(ServiceRequest::id).containsExactly(second, first);
        assertThat(accepted).extracting(ServiceRequest::status).containsOnly(RequestStatus.COMPLETED);
        assertThat(accepted).containsExactly(fixture.request(second), fixture.request(first));
        assertThat(fixture.custodian.asked()).hasSize(2);
    }

    @Test
    void each_is_checked_as_if_the_ones_before_were_filled_and_one_that_does_not_fit_stops_all() {
        given(fixture.amendIps.put(
                USER, SampleValues.ips("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.35},\"cashFloor\":0.01}")));
        long first = fixture.queued(agent, "buy 3000 BTC crypto");
        long second = fixture.queued(other, "buy 3000 BTC crypto");
        List<PolicyEvent> before = fixture.events();

        Refusal blocked = refused(together(first, second));

        assertThat(blocked.code()).isEqualTo(Code.POLICY_BLOCKED);
        assertThat(blocked.request()).isEqualTo(fixture.request(second));
        assertThat(blocked.message()).startsWith("Nothing was accepted: request " + second + " does not fit.");
        assertThat(blocked.violations())
                .extracting(violation -> violation.rule())
                .containsExactly(Rule.CRYPTO_MAX_ALLOCATION);
        assertThat(fixture.events()).isEqualTo(before);
        assertThat(fixture.pending(first).isAccepted()).isFalse();
        assertThat(fixture.custodian.asked()).isEmpty();
        assertThat(given(together(first)).get(0).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void what_one_sells_makes_room_for_the_next() {
        given(fixture.amendIps.put(
                USER, SampleValues.ips("{\"crypto\":{\"min\":0.1,\"target\":0.2,\"max\":0.33},\"cashFloor\":0.01}")));
        long buy = fixture.queued(agent, "buy 3000 BTC crypto");
        long sell = fixture.queued(other, "sell 2000 BTC crypto");
        fixture.hold(32_000, 55_000, 13_000);

        assertThat(refused(together(buy, sell)).code()).isEqualTo(Code.POLICY_BLOCKED);
        assertThat(given(together(sell, buy))).hasSize(2);
    }

    @Test
    void cash_that_suffices_for_each_but_not_for_all_stops_all() {
        given(fixture.amendIps.put(USER, SampleValues.ips("{\"cashFloor\":0}")));
        fixture.holdElsewhere("second", 9_000);
        fixture.hold(30_000, 55_000, 4_000);
        long first = fixture.queued(agent, "buy 3000 SPY tradfi");
        long large = fixture.queued(agent, "buy 7000 SPY tradfi");
        long third = fixture.queued(agent, "buy 2500 SPY tradfi");

        Refusal refused = refused(together(first, large, third));

        assertThat(refused.code()).isEqualTo(Code.POLICY_BLOCKED);
        assertThat(refused.violations()).isEmpty();
        assertThat(refused.message()).endsWith("No single custodian has 2500 USD in cash for this buy.");
        assertThat(fixture.custodian.asked()).isEmpty();
        assertThat(given(together(first, large))).hasSize(2);
    }

    @Test
    void one_that_waits_no_more_or_never_was_stops_all() {
        long first = fixture.queued(agent, "buy 1000 BTC crypto");
        long rejected = fixture.queued(agent, "buy 1000 BTC crypto");
        given(fixture.attest.reject(USER, rejected, null));

        assertThat(refused(together(first, rejected)).code()).isEqualTo(Code.ALREADY_RESOLVED);
        assertThat(refused(together(first, rejected)).request()).isEqualTo(fixture.request(rejected));
        assertThat(refused(together(first, 999L)).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(fixture.pending(first).isAccepted()).isFalse();
    }

    @Test
    void holdings_that_changed_since_they_were_shown_stop_all() {
        long first = fixture.queued(agent, "buy 1000 BTC crypto");
        Shown before = shown(first);
        fixture.hold(29_000, 55_000, 16_000);
        fixture.holdElsewhere("second", 1);

        assertThat(refused(fixture.attest.acceptTogether(USER, List.of(first), before))
                        .code())
                .isEqualTo(Code.CHANGED);
    }

    @Test
    void a_list_counts_as_its_sum_for_the_amount_above_which_a_passkey_is_demanded() {
        OwnerPasskeys demanded = OwnerPasskeys.NONE.requiredAbove(Usd.of(250));
        fixture.store.change(USER, account -> new Recording().passkeys(demanded).answer(receipts -> demanded));
        long first = fixture.queued(agent, "buy 100 BTC crypto");
        long second = fixture.queued(agent, "buy 100 BTC crypto");
        long third = fixture.queued(agent, "buy 51 BTC crypto");

        assertThat(refused(together(first, second, third)).code()).isEqualTo(Code.PASSKEY_REQUIRED);
        given(together(first, second));
        assertThat(refused(together(third)).code()).isEqualTo(Code.PASSKEY_REQUIRED);
    }

    @Test
    void one_signature_of_a_passkey_is_recorded_with_each_and_good_for_this_list_alone() {
        SoftPasskey phone = register();
        long first = fixture.queued(agent, "buy 100 BTC crypto");
        long second = fixture.queued(other, "buy 200 BTC crypto");

        assertThat(refused(signed(phone, List.of(first, second), List.of(second, first)))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(signed(phone, List.of(first, second), List.of(first)))
                        .code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(given(signed(phone, List.of(first, second), List.of(first, second))))
                .extracting(ServiceRequest::status)
                .containsOnly(RequestStatus.COMPLETED);

        assertThat(fixture.payloads(EventKind.GUARDRAIL_DECISION).stream()
                        .filter(payload -> payload.toString().contains("attested"))
                        .toList())
                .hasSize(2);
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void a_signature_ends_with_the_holdings_that_were_signed() {
        SoftPasskey phone = register();
        long first = fixture.queued(agent, "buy 100 BTC crypto");
        long second = fixture.queued(other, "buy 200 BTC crypto");
        String challenge =
                given(fixture.sign.offer(USER, List.of(first, second))).challenge();
        fixture.holdElsewhere("second", 1);

        assertThat(refused(fixture.attest.acceptTogether(
                                USER,
                                List.of(first, second),
                                shown(first),
                                phone.assertion(USER, challenge, new Circumstances()),
                                PARTY))
                        .code())
                .isEqualTo(Code.CHANGED);
    }

    private SoftPasskey register() {
        SoftPasskey phone = new SoftPasskey();
        OwnerPasskeys registered = OwnerPasskeys.NONE.with(phone.registered("Phone", SampleValues.NOON));
        fixture.store.change(
                USER, account -> new Recording().passkeys(registered).answer(receipts -> registered));
        return phone;
    }

    private Answer<List<ServiceRequest>> signed(SoftPasskey by, List<Long> offered, List<Long> accepted) {
        String challenge = given(fixture.sign.offer(USER, offered)).challenge();
        SentAssertion sent = by.assertion(USER, challenge, new Circumstances());
        return fixture.attest.acceptTogether(USER, accepted, shown(accepted.get(0)), sent, PARTY);
    }

    private Answer<List<ServiceRequest>> together(Long... ids) {
        return fixture.attest.acceptTogether(USER, List.of(ids), shown(ids[0]));
    }

    private Shown shown(long id) {
        RequestReview now = fixture.review.find(USER, id).orElseThrow().now();
        return now == null ? new Shown(1, 1) : new Shown(now.ipsVersion(), now.portfolioRevision());
    }
}
