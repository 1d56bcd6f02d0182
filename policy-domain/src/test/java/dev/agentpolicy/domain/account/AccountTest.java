package dev.agentpolicy.domain.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.agentpolicy.domain.account.LoadSpec.SyncLoad;
import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.DailyDecisions;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The account after a change, as the next change sees it. */
class AccountTest {
    private static final UserId USER = new UserId(new UUID(0, 1));
    private static final AgentKeyId KEY = new AgentKeyId(new UUID(0, 2));
    private static final AgentKeyId OTHER = new AgentKeyId(new UUID(0, 3));
    private static final IpsVersion IPS = new IpsVersion(1, SampleValues.plainIps(), SampleValues.NOON);
    private static final Portfolio PORTFOLIO = Portfolio.first(
            new CustodianHoldings(
                    "paper",
                    "Paper",
                    CustodianHoldings.CustodianKind.PAPER,
                    SampleValues.NOON,
                    1,
                    Usd.of(5),
                    List.of()),
            SampleValues.NOON);
    private static final Replay REPLAY =
            new Replay(new IdempotencyKey(KEY, "once"), 7, "0".repeat(64), SampleValues.NOON);
    private static final Account EMPTY = account(Map.of(), Map.of());

    @Test
    void an_empty_outcome_leaves_the_account_unchanged() {
        assertThat(EMPTY.after(Outcome.nothing(true))).isSameAs(EMPTY);
    }

    @Test
    void the_next_change_sees_everything_that_was_recorded() {
        Tally used = Tally.NONE.at(SampleValues.NOON).plusCall();

        Account after = EMPTY.after(new Recording()
                .ips(IPS)
                .portfolio(PORTFOLIO)
                .key(key(KEY))
                .tally(KEY, used)
                .request(pending(7))
                .replay(REPLAY)
                .answer(receipts -> true));

        assertThat(after.userId()).isEqualTo(USER);
        assertThat(after.now()).isEqualTo(SampleValues.NOON);
        assertThat(after.ips()).isEqualTo(IPS);
        assertThat(after.portfolio()).isEqualTo(PORTFOLIO);
        assertThat(after.key(KEY)).contains(key(KEY));
        assertThat(after.tally(KEY)).isEqualTo(used);
        assertThat(after.request(7)).contains(pending(7));
        assertThat(after.replay(REPLAY.key())).contains(REPLAY);
        assertThat(after.requestIds().getAsLong()).isEqualTo(42);
    }

    @Test
    void a_recorded_value_replaces_only_its_predecessor() {
        Tally used = Tally.NONE.at(SampleValues.NOON).plusCall();
        Account before = EMPTY.after(new Recording()
                .ips(IPS)
                .portfolio(PORTFOLIO)
                .key(key(KEY))
                .key(key(OTHER))
                .tally(KEY, used)
                .request(pending(7))
                .request(pending(8))
                .answer(receipts -> true));
        Pending accepted = pending(7).accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON);

        Account after = before.after(new Recording()
                .tally(OTHER, used.plusCall())
                .request(accepted)
                .key(key(KEY).revoked(SampleValues.NOON))
                .answer(receipts -> true));

        assertThat(after.ips()).isEqualTo(IPS);
        assertThat(after.portfolio()).isEqualTo(PORTFOLIO);
        assertThat(after.tallies()).isEqualTo(Map.of(KEY, used, OTHER, used.plusCall()));
        assertThat(after.requests()).isEqualTo(Map.of(7L, accepted, 8L, pending(8)));
        assertThat(after.key(KEY).orElseThrow().revokedAt()).isEqualTo(SampleValues.NOON);
        assertThat(after.key(OTHER)).contains(key(OTHER));
    }

    @Test
    void the_requests_under_way_at_a_custodian_are_those_with_an_order_there_oldest_first() {
        Account account = EMPTY.after(new Recording()
                .request(pending(9).accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON))
                .request(pending(7).accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON))
                .request(pending(8).accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON))
                .request(pending(6))
                .request(pending(5).rejected("no", SampleValues.NOON))
                .answer(receipts -> true));

        assertThat(account.underWay("paper")).extracting(Pending::id).containsExactly(7L, 8L, 9L);
        assertThat(account.underWay("other")).isEmpty();
    }

    @Test
    void a_capped_key_has_its_counted_calls_and_any_other_its_decisions() {
        Tally used = Tally.NONE.at(SampleValues.NOON).plusCall();
        Account account =
                EMPTY.after(new Recording().tally(KEY, used).calls(KEY, 9).answer(receipts -> true));

        assertThat(account.calls(key(KEY))).isEqualTo(1);
        assertThat(account.calls(capped(KEY))).isEqualTo(9);
        assertThatIllegalStateException().isThrownBy(() -> EMPTY.calls(capped(KEY)));
    }

    @Test
    void decisions_are_counted_per_day_over_all_keys() {
        Account account = EMPTY.after(
                new Recording().event(decided(KEY)).event(decided(OTHER)).answer(receipts -> true));

        assertThat(account.decisionsToday()).isEqualTo(2);
        assertThat(account.after(new Recording().event(decided(KEY)).answer(receipts -> true))
                        .decisionsToday())
                .isEqualTo(3);
        assertThat(account.decided()
                        .at(SampleValues.NOON.plus(Duration.ofDays(1)))
                        .count())
                .isZero();
    }

    @Test
    void an_attestation_does_not_count_as_a_decision_for_an_agent() {
        EventDraft told = DecisionPayload.draft(new DecisionRecord(
                DecisionRecord.Kind.ATTESTATION,
                null,
                KEY,
                trade(1),
                null,
                null,
                null,
                CapUsage.NOTHING,
                new Decision(List.of(), null, null, SampleValues.NOON),
                List.of(),
                List.of(),
                List.of(),
                new DecisionRecord.Attestation(false, null),
                7L));

        assertThat(EMPTY.after(new Recording().event(told).answer(receipts -> true))
                        .decisionsToday())
                .isZero();
    }

    @Test
    void waiting_requests_are_neither_accepted_nor_resolved() {
        Account account = EMPTY.after(new Recording()
                .request(pending(9))
                .request(pending(7))
                .request(pending(8).accepted("paper", CustodianKind.PAPER, Fraction.of("0.01"), SampleValues.NOON))
                .request(pending(6).rejected("no", SampleValues.NOON))
                .answer(receipts -> true));

        assertThat(account.waitingRequests(KEY)).containsExactly(pending(7), pending(9));
        assertThat(account.waitingRequests(OTHER)).isEmpty();
    }

    @Test
    void an_idempotency_record_ends_after_a_day() {
        Replay old = new Replay(REPLAY.key(), 7, "0".repeat(64), SampleValues.NOON.minus(Duration.ofDays(1)));
        Replay young =
                new Replay(REPLAY.key(), 7, "0".repeat(64), old.createdAt().plusNanos(1_000));

        assertThat(account(Map.of(old.key(), old), Map.of()).replay(old.key())).isEmpty();
        assertThat(account(Map.of(young.key(), young), Map.of()).replay(young.key()))
                .contains(young);
        assertThat(EMPTY.replay(old.key())).isEmpty();
    }

    @Test
    void usd_and_calls_of_yesterday_do_not_count_today() {
        Tally yesterday =
                Tally.NONE.at(SampleValues.NOON.minus(Duration.ofDays(1))).plusCall();

        assertThat(account(Map.of(), Map.of(KEY, yesterday)).tally(KEY).calls()).isZero();
        assertThat(EMPTY.tally(KEY)).isEqualTo(Tally.NONE.at(SampleValues.NOON));
    }

    @Test
    void one_change_records_at_most_one_version() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Recording().ips(IPS).ips(IPS).answer(receipts -> true))
                .withMessage("A change can record at most one new version.");
    }

    @Test
    void a_load_spec_names_the_parts_of_an_account() {
        SyncLoad sync = new SyncLoad("broker", Set.of("fill-1"), Set.of(7L), Set.of(KEY));
        assertThat(LoadSpec.of(pending(7).proposal()))
                .isEqualTo(new LoadSpec(KEY, 7L, null, null, false, false, false, null));
        assertThat(LoadSpec.accepted()).isEqualTo(new LoadSpec(null, null, null, null, true, false, false, null));
        assertThat(LoadSpec.sync(sync)).isEqualTo(new LoadSpec(null, null, null, null, true, false, false, sync));
        assertThat(LoadSpec.call(KEY, REPLAY.key()))
                .isEqualTo(new LoadSpec(KEY, null, REPLAY.key(), null, false, true, false, null));
        assertThat(LoadSpec.call(KEY)).isEqualTo(new LoadSpec(KEY, null, null, null, false, true, false, null));
        assertThat(LoadSpec.pendingOf(KEY)).isEqualTo(new LoadSpec(KEY, null, null, KEY, false, false, false, null));
        assertThat(LoadSpec.tally(KEY)).isEqualTo(new LoadSpec(KEY, null, null, null, false, false, false, null));
        assertThat(((Change<Boolean>) account -> Outcome.nothing(true)).needs()).isEqualTo(LoadSpec.NOTHING);
    }

    private static Account account(Map<IdempotencyKey, Replay> replays, Map<AgentKeyId, Tally> tallies) {
        return new Account(
                USER,
                SampleValues.NOON,
                null,
                null,
                CustodianConnections.NONE,
                OwnerPasskeys.NONE,
                Map.of(),
                DailyDecisions.NONE,
                OwnerWrites.NONE,
                tallies,
                FlowCounts.NONE,
                Map.of(),
                Map.of(),
                Set.of(),
                replays,
                () -> 42);
    }

    private static Trade trade(long id) {
        return SampleValues.trade("buy " + id + " BTC crypto");
    }

    private static Pending pending(long id) {
        return Pending.of(new Proposal(
                id,
                USER,
                KEY,
                "Robot",
                trade(id),
                null,
                null,
                new Decision(List.of(), 1, null, SampleValues.NOON),
                List.of(),
                SampleValues.NOON,
                SampleValues.NOON.plusSeconds(60),
                null));
    }

    private static EventDraft decided(AgentKeyId key) {
        return DecisionPayload.draft(new DecisionRecord(
                DecisionRecord.Kind.VALIDATE,
                null,
                key,
                trade(1),
                null,
                null,
                null,
                CapUsage.NOTHING,
                new Decision(List.of(), null, null, SampleValues.NOON),
                List.of(),
                List.of(),
                List.of(),
                null,
                null));
    }

    private static AgentKey capped(AgentKeyId id) {
        return key(id, new KeyPolicy(10, null, null, null, null));
    }

    private static AgentKey key(AgentKeyId id) {
        return key(id, KeyPolicy.NO_CAPS);
    }

    private static AgentKey key(AgentKeyId id, KeyPolicy policy) {
        return new AgentKey(
                id,
                USER,
                "Robot",
                KeyType.LIVE,
                Set.of(Scope.READ),
                policy,
                "0".repeat(64),
                "0000",
                SampleValues.NOON,
                null,
                null,
                null,
                List.of(),
                null);
    }
}
