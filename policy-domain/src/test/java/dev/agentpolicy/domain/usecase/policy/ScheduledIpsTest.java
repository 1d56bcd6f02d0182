package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.passkey.ChangeProtection;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.ScheduledAccounts;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.upkeep.BringIntoForce;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A looser policy waits as long as its owner has said, and comes into force unless somebody ends it. */
class ScheduledIpsTest {
    private static final Duration DELAY = Duration.ofHours(24);
    private static final String BUY = "buy 10000 BTC crypto";
    private static final Ips TIGHT = SampleValues.ips("{\"allowedActions\":[\"sell\"]}");
    private static final Ips LOOSE = SampleValues.plainIps();

    private final UseCaseFixture fixture = new UseCaseFixture();
    private final ScheduledAccounts accounts = new ScheduledAccounts(fixture.store, AmendIps::comeIntoForce);
    private final AmendIps amend = new AmendIps(accounts, UseCaseFixture.OWNER_LIMITS, Runnable::run);
    private final ValidateTrade validate = new ValidateTrade(accounts, KeyCheck.IN_ACCOUNT, UseCaseFixture.LIMITS);
    private final BringIntoForce sweep = new BringIntoForce(accounts, fixture.store, fixture.clock);
    private final Caller agent = fixture.agent("{}");

    @BeforeEach
    void furnish() {
        given(amend.put(USER, TIGHT));
        fixture.hold(10_000, 55_000, 35_000);
        fixture.store.change(
                USER,
                account -> new Recording()
                        .passkeys(account.passkeys()
                                .protectedBy(ChangeProtection.NONE.withDelay(
                                        Math.toIntExact(DELAY.toHours()), account.now())))
                        .answer(receipts -> true));
    }

    private boolean isAllowed() {
        return given(validate.one(agent, SampleValues.sent(BUY)))
                .value()
                .decision()
                .isAllowed();
    }

    private int version() {
        return fixture.store.view(USER).ips().version();
    }

    private ScheduledIps scheduled() {
        return fixture.store.view(USER).passkeys().protection().scheduled();
    }

    @Test
    void no_decision_is_made_under_it_before_its_time_and_the_first_one_then_is() {
        Instant put = fixture.clock.instant();
        Amended answer = given(amend.put(USER, LOOSE));

        assertThat(answer.isNew()).isFalse();
        assertThat(answer.scheduled().effectiveAt()).isEqualTo(put.plus(DELAY));
        assertThat(isAllowed()).isFalse();
        fixture.clock.advance(DELAY.minusNanos(1_000));
        assertThat(isAllowed()).isFalse();
        assertThat(sweep.sweep()).isZero();
        assertThat(version()).isEqualTo(1);
        fixture.clock.advance(Duration.ofNanos(1_000));

        assertThat(isAllowed()).isTrue();
        assertThat(version()).isEqualTo(2);
        assertThat(scheduled()).isNull();
        var payload = fixture.payloads(EventKind.IPS_AMENDED).get(0);
        assertThat(payload.get("scheduledAt")).isEqualTo(Instants.format(put));
        recomputed();
    }

    @Test
    void a_sweep_brings_it_into_force_where_nobody_changes_the_account() {
        given(amend.put(USER, LOOSE));
        fixture.clock.advance(DELAY);

        assertThat(sweep.sweep()).isEqualTo(1);
        assertThat(version()).isEqualTo(2);
        assertThat(sweep.sweep()).isZero();
    }

    @Test
    void what_is_tighter_or_the_first_counts_at_once() {
        UseCaseFixture empty = new UseCaseFixture();
        empty.store.change(
                USER,
                account -> new Recording()
                        .passkeys(account.passkeys().protectedBy(ChangeProtection.NONE.withDelay(1, account.now())))
                        .answer(receipts -> true));

        assertThat(given(empty.amendIps.put(USER, LOOSE)).version().version()).isEqualTo(1);
        assertThat(given(empty.amendIps.put(USER, TIGHT)).version().version()).isEqualTo(2);
    }

    @Test
    void it_is_ended_by_its_owner_and_by_every_later_put() {
        given(amend.put(USER, LOOSE));
        given(amend.cancelScheduled(USER));
        assertThat(refused(amend.cancelScheduled(USER)).code()).isEqualTo(Code.NOT_FOUND);
        fixture.clock.advance(DELAY);
        assertThat(isAllowed()).isFalse();

        assertThat(given(amend.put(USER, LOOSE)).endedScheduled()).isFalse();
        Amended again = given(amend.put(USER, SampleValues.ips("{\"maxSlippage\":0.02}")));
        assertThat(again.endedScheduled()).isTrue();
        assertThat(scheduled()).isEqualTo(again.scheduled());
        Amended same = given(amend.put(USER, TIGHT));
        assertThat(same.isNew()).isFalse();
        assertThat(same.endedScheduled()).isTrue();
        given(amend.put(USER, LOOSE));
        Amended tighter = given(amend.put(USER, SampleValues.ips("{\"allowedActions\":[]}")));
        assertThat(tighter.endedScheduled()).isTrue();
        fixture.clock.advance(DELAY);
        assertThat(sweep.sweep()).isZero();
        assertThat(version()).isEqualTo(2);
    }

    @Test
    void a_put_that_is_refused_ends_nothing() {
        given(amend.put(USER, LOOSE));

        assertThat(refused(amend.put(USER, new Amendment(LOOSE, false, 7))).code())
                .isEqualTo(Code.CHANGED);
        assertThat(scheduled()).isNotNull();
    }

    @Test
    void pausing_resuming_and_approvals_keep_it_and_it_takes_their_state() {
        String rule =
                "\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\",\"when\":{\"amountUsdAbove\":1}}]";
        given(amend.put(USER, SampleValues.ips("{" + rule + ",\"allowedActions\":[\"sell\"]}")));
        given(amend.put(USER, SampleValues.ips("{" + rule + "}")));
        Approval approval = approval(fixture.clock.instant().plus(Duration.ofDays(3)));
        given(amend.approve(USER, approval));
        given(amend.pause(USER, true));
        assertThat(scheduled()).isNotNull();
        fixture.clock.advance(DELAY);

        sweep.sweep();

        Ips inForce = fixture.store.view(USER).ips().ips();
        assertThat(inForce.allowedActions()).hasSize(2);
        assertThat(inForce.isPaused()).isTrue();
        assertThat(inForce.approvals()).containsExactly(approval);
        recomputed();
    }

    @Test
    void one_that_is_invalid_by_then_is_dropped_and_told() {
        String rule = "\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}]";
        var mine = fixture.mint("live", "\"read\"", "{}").key().id();
        String sent = "{\"ruleId\":\"ask\",\"agentKeyId\":\"" + mine + "\",\"until\":\""
                + fixture.clock.instant().plus(Duration.ofDays(3)) + "\"}";
        Approval approval =
                Approval.SCHEMA.read(JsonSamples.object(sent), Decimals.NUMBERS).orElseThrow();
        Ips approving = SampleValues.ips("{" + rule + "}").withApprovals(List.of(approval));
        assertThat(given(amend.put(USER, approving)).scheduled()).isNotNull();
        given(fixture.keys.revoke(USER, mine));
        int rows = fixture.events().size();
        fixture.clock.advance(DELAY);

        assertThat(sweep.sweep()).isEqualTo(1);

        ChangeProtection after = fixture.store.view(USER).passkeys().protection();
        assertThat(after.scheduled()).isNull();
        assertThat(after.dropped().reason()).contains("must be that of a working key");
        assertThat(fixture.events()).hasSize(rows);
        assertThat(version()).isEqualTo(1);
        given(amend.put(USER, TIGHT));
        assertThat(fixture.store.view(USER).passkeys().protection().dropped()).isNull();
    }

    private static Approval approval(Instant until) {
        return Approval.SCHEMA
                .read(JsonSamples.object("{\"ruleId\":\"ask\",\"until\":\"" + until + "\"}"), Decimals.NUMBERS)
                .orElseThrow();
    }

    private void recomputed() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }
}
