package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ReadState;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the user allows ahead of standing rules that ask for approval. */
class ApprovedTradesTest {
    private static final String RULES = """
            {"standingRules":[
              {"id":"large","effect":"require_approval","when":{"amountUsdAbove":1000}},
              {"id":"spy","effect":"require_approval","when":{"symbols":["SPY"]}}]}""";

    private static final String MOVED = """
            {"standingRules":[
              {"id":"spy","effect":"require_approval","when":{"symbols":["SPY"]}},
              {"id":"large","effect":"require_approval","reason":"Ask","when":{"amountUsdAbove":1000}}]}""";

    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final Caller agent = fixture.agent("{}");
    private final Caller other = fixture.agent("{}");

    ApprovedTradesTest() {
        given(fixture.amendIps.put(USER, SampleValues.ips(RULES)));
    }

    /** Whatever a test did, the chain alone explains every verdict. */
    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void an_approval_lets_pass_what_it_covers_and_nothing_else() {
        approve("\"ruleId\":\"large\",\"agentKeyId\":\"" + agent.key().id()
                + "\",\"action\":\"buy\",\"symbol\":\"BTC\",\"maxAmountUsd\":2000");

        assertThat(rules(agent, "buy 2000 BTC crypto")).isEmpty();
        assertThat(rules(agent, "buy 2001 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        assertThat(rules(agent, "sell 2000 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        assertThat(rules(agent, "buy 2000 ETH crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        assertThat(rules(other, "buy 2000 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
    }

    @Test
    void two_rules_need_an_approval_each() {
        approve("\"ruleId\":\"large\"");
        assertThat(rules(agent, "buy 1500 SPY tradfi")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);

        approve("\"ruleId\":\"spy\"");
        assertThat(rules(agent, "buy 1500 SPY tradfi")).isEmpty();
    }

    @Test
    void an_approval_ends_and_what_was_proposed_under_it_may_still_be_accepted() {
        approve("\"ruleId\":\"large\"");
        long id = fixture.queued(agent, "buy 1500 BTC crypto");
        fixture.clock.advance(Duration.ofHours(2));

        assertThat(rules(agent, "buy 1500 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        assertThat(fixture.review.find(USER, id).orElseThrow().now().isAllowed())
                .isTrue();
        assertThat(given(fixture.attest.accept(USER, id)).resolvedAt()).isPresent();
    }

    @Test
    void the_decision_names_the_approvals_it_needed() {
        approve("\"ruleId\":\"large\"");
        fixture.queued(agent, "buy 1500 BTC crypto");
        fixture.queued(agent, "buy 500 BTC crypto");

        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        assertThat(decisions.get(decisions.size() - 2).get("approvals"))
                .asString()
                .contains("large");
        assertThat(decisions.get(decisions.size() - 1).get("approvals")).isNull();
    }

    @Test
    void an_approval_is_used_up_by_as_many_allowed_proposals_as_it_says() {
        approve("\"ruleId\":\"large\",\"maxUses\":2");
        fixture.proposed(agent, "buy 1500 BTC crypto", "once");
        fixture.proposed(agent, "buy 1500 BTC crypto", "once");
        fixture.queued(agent, "buy 500 BTC crypto");
        fixture.proposed(agent, "buy 1500 SPY tradfi", null);
        fixture.validated(agent, "buy 1500 BTC crypto");
        assertThat(left().usesLeft()).isEqualTo(1);

        long second = fixture.queued(other, "buy 1500 ETH crypto");

        assertThat(rules(agent, "buy 1500 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        assertThat(fixture.proposed(agent, "buy 1500 BTC crypto", null)
                        .decision()
                        .isAllowed())
                .isFalse();
        assertThat(headroom()).isEqualTo(Usd.of(1000));
        assertThat(left()).isEqualTo(new ApprovalUse(inForce().approvals().get(0), 2, Usd.of(3000)));
        assertThat(given(fixture.attest.accept(USER, second)).resolvedAt()).isPresent();
    }

    @Test
    void an_approval_covers_what_is_left_of_its_total_to_the_cent() {
        approve("\"ruleId\":\"large\",\"maxAmountUsd\":2000,\"maxTotalUsd\":3500");
        fixture.queued(agent, "buy 1999.99 BTC crypto");

        assertThat(headroom()).isEqualTo(Usd.of("1500.01"));
        assertThat(rules(agent, "buy 1500.02 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
        fixture.queued(agent, "buy 1500.01 BTC crypto");
        assertThat(left().usdLeft()).isEqualTo(Usd.ZERO);
        assertThat(headroom()).isEqualTo(Usd.of(1000));
    }

    @Test
    void an_approval_that_is_used_up_makes_room_for_the_next_one() {
        approve("\"ruleId\":\"large\",\"maxUses\":1");
        approve("\"ruleId\":\"large\",\"maxUses\":2");
        for (int i = 0; i < 3; i++) {
            fixture.queued(agent, "buy 1500 BTC crypto");
        }

        assertThat(rules(agent, "buy 1500 BTC crypto")).containsExactly(Rule.STANDING_RULE_REQUIRES_APPROVAL);
    }

    @Test
    void allowed_items_of_a_batch_use_an_approval_for_those_after_them_alone() {
        approve("\"ruleId\":\"large\",\"maxUses\":1");

        List<Decision> items =
                fixture.validated(agent, List.of("buy 1500 BTC crypto", "buy 500 BTC crypto", "buy 1500 ETH crypto"));

        assertThat(items.stream().map(Decision::isAllowed)).containsExactly(true, true, false);
        assertThat(rules(agent, "buy 1500 BTC crypto")).isEmpty();
    }

    @Test
    void counts_stay_while_the_approval_stays_and_are_gone_with_it() {
        approve("\"ruleId\":\"large\",\"maxUses\":1");
        Ips before = inForce();
        fixture.queued(agent, "buy 1500 BTC crypto");
        given(fixture.amendIps.put(USER, SampleValues.ips(MOVED).withApprovals(before.approvals())));
        given(fixture.amendIps.pause(USER, true));
        given(fixture.amendIps.pause(USER, false));
        approve("\"ruleId\":\"large\",\"maxUses\":1");
        assertThat(left().usesLeft()).isZero();

        given(fixture.amendIps.put(USER, SampleValues.ips(MOVED)));
        given(fixture.amendIps.put(USER, SampleValues.ips(MOVED).withApprovals(before.approvals())));
        assertThat(left().usesLeft()).isEqualTo(1);
    }

    @Test
    void the_signed_decision_says_what_was_used_of_each_approval_that_could_cover_the_trade() {
        approve("\"ruleId\":\"spy\"");
        approve("\"ruleId\":\"large\",\"maxUses\":1,\"maxTotalUsd\":5000");
        fixture.queued(agent, "buy 1500.5 BTC crypto");
        fixture.proposed(agent, "buy 1500 BTC crypto", null);
        fixture.validated(agent, "buy 5001 BTC crypto");

        List<Document> decisions = fixture.payloads(EventKind.GUARDRAIL_DECISION);
        assertThat(CanonicalForm.write(
                        Map.of("counts", decisions.get(decisions.size() - 2).get("approvalCounts"))))
                .isEqualTo("{\"counts\":[{\"approval\":1,\"usd\":\"1500.5\",\"uses\":1}]}");
        assertThat(decisions.get(decisions.size() - 1).get("approvalCounts")).isNull();
    }

    @Test
    void a_trade_that_is_refused_for_its_asset_needs_no_approval() {
        approve("\"ruleId\":\"large\",\"maxUses\":1");

        assertThat(rules(agent, "buy 1500 BTC tradfi")).containsExactly(Rule.INVALID_PAYLOAD);
    }

    @Test
    void a_trial_and_a_preview_know_what_is_used_of_an_approval() {
        approve("\"ruleId\":\"large\",\"maxUses\":1");
        fixture.queued(agent, "buy 1500 BTC crypto");
        Approval twice = approval("\"ruleId\":\"large\",\"maxUses\":2", hour());
        fixture.proposed(agent, "buy 1500 ETH crypto", null);

        assertThat(previewed(inForce())).containsExactly(false, true);
        assertThat(previewed(inForce().withApprovals(List.of(twice)))).containsExactly(true, true);
        ReadState usage = new ReadState(fixture.store, fixture.store.dailyCalls(), fixture.clock);
        TryTrade trial = new TryTrade(fixture.store, usage, fixture.store, usage, fixture.clock);
        assertThat(given(trial.byKey(USER, agent.key().id(), SampleValues.sent("buy 1500 BTC crypto")))
                        .headroom()
                        .maxAllowed())
                .isEqualTo(Usd.of(1000));
    }

    @Test
    void an_approval_that_ended_with_its_rule_is_not_brought_back_by_a_policy_that_repeats_it_later() {
        approve("\"ruleId\":\"large\"");
        List<Approval> ended = inForce().approvals();
        Ips other = SampleValues.ips(RULES.replace("1000", "500"));

        given(fixture.amendIps.put(USER, other.withApprovals(ended)));
        given(fixture.amendIps.put(USER, other.withApprovals(ended)));
        given(fixture.amendIps.put(USER, SampleValues.ips(RULES).withApprovals(ended)));
        assertThat(inForce().approvals()).isEmpty();
        given(fixture.amendIps.put(USER, SampleValues.ips("{}").withApprovals(ended)));
        given(fixture.amendIps.put(USER, SampleValues.ips(RULES).withApprovals(ended)));
        assertThat(inForce().approvals()).isEmpty();
        assertThat(given(new PreviewIps(fixture.audit, fixture.store)
                        .preview(USER, Amendment.of(SampleValues.ips(RULES).withApprovals(ended)))))
                .isEmpty();

        given(fixture.amendIps.approve(USER, ended.get(0)));
        given(fixture.amendIps.put(USER, inForce().withTier(4)));
        assertThat(inForce().approvals()).isEqualTo(ended);
    }

    @Test
    void an_approval_that_is_not_repeated_with_the_changed_rule_is_not_brought_back_either() {
        approve("\"ruleId\":\"large\"");
        List<Approval> ended = inForce().approvals();
        Ips other = SampleValues.ips(RULES.replace("1000", "500"));

        given(fixture.amendIps.put(USER, other));
        given(fixture.amendIps.put(USER, other.withApprovals(ended)));

        assertThat(inForce().approvals()).isEmpty();
    }

    @Test
    void of_more_ended_approvals_than_are_remembered_none_comes_back() {
        List<Approval> all = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < Approval.MAX; i++) {
                Approval approval = approval("\"ruleId\":\"large\"", hour().plusSeconds(100 * i + round));
                given(fixture.amendIps.approve(USER, approval));
                all.add(approval);
            }
            given(fixture.amendIps.put(USER, SampleValues.ips(RULES.replace("1000", "500"))));
            given(fixture.amendIps.put(USER, SampleValues.ips(RULES)));
        }

        for (int i = 0; i < all.size(); i += Approval.MAX) {
            given(fixture.amendIps.put(USER, SampleValues.ips(RULES).withApprovals(all.subList(i, i + Approval.MAX))));
            assertThat(inForce().approvals()).isEmpty();
        }
    }

    @Test
    void the_headroom_counts_approvals() {
        assertThat(headroom()).isEqualTo(Usd.of(1000));
        approve("\"ruleId\":\"large\",\"maxAmountUsd\":1800");
        assertThat(headroom()).isEqualTo(Usd.of(1800));
    }

    @Test
    void a_policy_without_approvals_keeps_those_in_force_and_an_empty_list_ends_them() {
        approve("\"ruleId\":\"large\"");
        given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips(RULES), true, null)));
        assertThat(inForce().approvals()).hasSize(1);

        given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips(RULES), false, null)));
        assertThat(inForce().approvals()).isEmpty();
    }

    @Test
    void an_approval_goes_with_its_rule_and_past_ones_are_dropped() {
        approve("\"ruleId\":\"large\"");
        given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips("{\"tier\":2}"), true, null)));
        assertThat(inForce().approvals()).isEmpty();

        given(fixture.amendIps.put(USER, SampleValues.ips(RULES)));
        approve("\"ruleId\":\"large\"");
        fixture.clock.advance(Duration.ofHours(2));
        int version = fixture.store.view(USER).ips().version();
        assertThat(given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips(RULES), true, null)))
                        .version()
                        .version())
                .isEqualTo(version);
        given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips(RULES).withTier(4), true, null)));
        assertThat(inForce().approvals()).isEmpty();
    }

    @Test
    void an_approval_ends_with_a_rule_that_asks_otherwise_also_when_the_policy_repeats_it() {
        for (String other : List.of(
                RULES.replace("1000", "500"),
                RULES.replace("\"large\",\"effect\":\"require_approval\"", "\"large\",\"effect\":\"block\""))) {
            approve("\"ruleId\":\"large\"");
            approve("\"ruleId\":\"spy\"");
            List<Approval> inForce = inForce().approvals();

            given(fixture.amendIps.put(USER, SampleValues.ips(other).withApprovals(inForce)));

            assertThat(inForce().approvals()).extracting(Approval::ruleId).containsExactly("spy");
            assertThat(rules(agent, "buy 1500 BTC crypto")).hasSize(1);
            given(fixture.amendIps.put(USER, SampleValues.ips(RULES)));
        }
    }

    @Test
    void an_approval_outlives_other_words_and_another_place_of_its_rule() {
        approve("\"ruleId\":\"large\"");
        List<Approval> inForce = inForce().approvals();

        given(fixture.amendIps.put(USER, new Amendment(SampleValues.ips(MOVED), true, null)));

        assertThat(inForce().approvals()).isEqualTo(inForce);
    }

    @Test
    void a_new_approval_may_come_with_another_rule() {
        approve("\"ruleId\":\"large\"");
        Approval next = approval("\"ruleId\":\"large\",\"maxAmountUsd\":700", hour());

        given(fixture.amendIps.put(
                USER, SampleValues.ips(RULES.replace("1000", "500")).withApprovals(List.of(next))));

        assertThat(inForce().approvals()).containsExactly(next);
    }

    @Test
    void a_policy_approves_trades_of_keys_that_work_and_keeps_approvals_of_a_key_that_was_revoked() {
        Ips stranger = SampleValues.ips(RULES)
                .withApprovals(List.of(approval(
                        "\"ruleId\":\"large\",\"agentKeyId\":\"00000000-0000-4000-8000-000000000009\"", hour())));
        assertThat(refused(fixture.amendIps.put(USER, stranger)).problems())
                .extracting(Problem::message)
                .containsExactly("approvals[0].agentKeyId must be that of a working key.");

        approve("\"ruleId\":\"large\",\"agentKeyId\":\"" + other.key().id() + "\"");
        given(fixture.keys.revoke(USER, other.key().id()));
        given(fixture.amendIps.put(USER, inForce().withTier(4)));
        assertThat(inForce().approvals()).hasSize(1);
    }

    @Test
    void an_approval_is_stored_with_the_symbol_the_account_uses_and_only_once() {
        approve("\"ruleId\":\"large\",\"symbol\":\"btc-usd\"");
        assertThat(inForce().approvals()).extracting(Approval::symbol).containsExactly(new AssetSymbol("BTC"));

        assertThat(given(fixture.amendIps.approve(USER, approval("\"ruleId\":\"large\",\"symbol\":\"XBT\"", hour())))
                        .isNew())
                .isFalse();
    }

    @Test
    void an_approval_needs_a_rule_a_key_and_a_time_that_exist() {
        Refusal refusal = refused(fixture.amendIps.approve(
                USER,
                approval(
                        "\"ruleId\":\"none\",\"agentKeyId\":\"00000000-0000-4000-8000-000000000009\"",
                        SampleValues.NOON)));

        assertThat(refusal.problems()).extracting(Problem::field).containsExactly("ruleId", "agentKeyId", "until");
        Refusal late = refused(fixture.amendIps.approve(
                USER, approval("\"ruleId\":\"large\"", fixture.clock.instant().plus(Duration.ofDays(31)))));
        assertThat(late.problems())
                .extracting(Problem::message)
                .containsExactly("until must be at most 30 days ahead.");
    }

    @Test
    void there_are_at_most_fifty_approvals() {
        for (int i = 1; i <= Approval.MAX; i++) {
            approve("\"ruleId\":\"large\",\"maxAmountUsd\":" + i);
        }

        assertThat(refused(fixture.amendIps.approve(USER, approval("\"ruleId\":\"large\"", hour())))
                        .code())
                .isEqualTo(Refusal.Code.TOO_MANY);
    }

    @Test
    void without_a_policy_nothing_can_be_approved() {
        assertThat(refused(new UseCaseFixture().amendIps.approve(USER, approval("\"ruleId\":\"large\"", hour())))
                        .code())
                .isEqualTo(Refusal.Code.NO_IPS);
    }

    /** What is used of the only approval, as the mandate of another key says. */
    private ApprovalUse left() {
        List<ApprovalUse> approvals = given(
                        new ReadState(fixture.store, fixture.store.dailyCalls(), fixture.clock).mandate(other, null))
                .approvals();
        assertThat(approvals).hasSize(1);
        return approvals.get(0);
    }

    private List<Boolean> previewed(Ips draft) {
        return given(new PreviewIps(fixture.audit, fixture.store).preview(USER, Amendment.of(draft))).stream()
                .map(line -> line.preview().isAllowed())
                .toList();
    }

    private Usd headroom() {
        return fixture.headroom
                .of(agent, null, SampleValues.sent("buy 0 BTC crypto"))
                .fold(it -> it.now().maxAllowed(), refusal -> null);
    }

    private Ips inForce() {
        return fixture.store.view(USER).ips().ips();
    }

    private List<Rule> rules(Caller caller, String trade) {
        return fixture.validated(caller, trade).value().violations().stream()
                .map(Violation::rule)
                .toList();
    }

    private void approve(String members) {
        given(fixture.amendIps.approve(USER, approval(members, hour())));
    }

    private Instant hour() {
        return fixture.clock.instant().plus(Duration.ofHours(1));
    }

    private static Approval approval(String members, Instant until) {
        return Approval.SCHEMA
                .read(JsonSamples.object("{" + members + ",\"until\":\"" + until + "\"}"), Decimals.NUMBERS)
                .orElseThrow();
    }
}
