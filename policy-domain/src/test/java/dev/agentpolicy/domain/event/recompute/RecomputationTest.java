package dev.agentpolicy.domain.event.recompute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.EmergencyVectors;
import dev.agentpolicy.domain.event.chain.EventChain;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.chain.RecomputedChain;
import dev.agentpolicy.domain.event.chain.TestChain;
import dev.agentpolicy.domain.event.recompute.Recomputation.RecomputationResult;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.sample.Seeded;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Recomputation finds every verdict that does not follow from the chain (docs/verify.md, Recompute the verdicts). */
class RecomputationTest extends RecomputedChain {
    @Test
    void five_thousand_random_decisions_under_twenty_statements_are_recomputed_without_a_difference() {
        List<PolicyEvent> rows = chain(SEED, 5_000, 20, UNSIGNED);
        Recomputation recomputation = Recomputation.begin();

        assertThat(differences(recomputation, rows)).describedAs("seed " + SEED).isEmpty();
        long decisions = Stream.of(RecomputationResult.values())
                .mapToLong(recomputation::count)
                .sum();
        assertThat(decisions)
                .isEqualTo(count(rows, EventKind.GUARDRAIL_DECISION))
                .isGreaterThanOrEqualTo(5_000);
        assertThat(recomputation.count(RecomputationResult.RECOMPUTED)).isGreaterThan(4_000);
        assertThat(recomputation.count(RecomputationResult.UNREADABLE)).isPositive();
        assertThat(recomputation.count(RecomputationResult.TURNED_DOWN)).isPositive();
        assertThat(recomputation.count(RecomputationResult.ERASED)).isZero();
        assertThat(count(rows, EventKind.IPS_AMENDED)).isGreaterThanOrEqualTo(19);
        assertThat(count(rows, EventKind.TRADE_OBSERVED)).isPositive();
    }

    @Test
    @Tag("slow")
    void random_chains_are_recomputed_without_a_difference() {
        Seeded.times(20, random -> {
            List<PolicyEvent> rows = chain(random.nextLong(), 200, 5, UNSIGNED);
            assertThat(differences(Recomputation.begin(), rows)).isEmpty();
        });
    }

    @Test
    @Tag("slow")
    void random_chains_with_erased_decisions_are_recomputed_without_a_difference() {
        Seeded.times(20, random -> {
            List<PolicyEvent> rows = new ArrayList<>(chain(random.nextLong(), 200, 5, UNSIGNED));
            rows.replaceAll(row -> decision(row) && random.nextInt(10) == 0 ? EmergencyVectors.erased(row) : row);

            assertThat(differences(Recomputation.begin(), rows)).isEmpty();
        });
    }

    @Test
    void a_flipped_verdict_that_is_signed_again_with_the_real_key_is_found() {
        PolicyEvent blocked = first(row -> decision(row)
                && payload(row).get("allowed").equals(false)
                && !payload(row).get("kind").equals("attestation")
                && payload(row).get("trade") != null);
        List<PolicyEvent> forged = changed(blocked, TestKey.ONE::sign, members -> {
            members.put("allowed", true);
            members.put("reason", "Within policy");
            members.put("violations", List.of());
            return members;
        });

        assertThat(EventChain.verify(
                                ChainPoint.pinned(TestChain.USER, TestKey.ONE.keyId()),
                                forged,
                                List.of(TestKey.ONE.active(SigningKey.Purpose.EVENT, TestChain.START)),
                                SigningKey.Purpose.EVENT,
                                TestChain.CHECK)
                        .isIntact())
                .isTrue();
        assertThat(differences(Recomputation.begin(), forged)).hasValueSatisfying(difference -> {
            assertThat(difference.seq()).isEqualTo(blocked.seq());
            assertThat(difference.what())
                    .startsWith("The verdict says allowed (Within policy); what follows is blocked (");
        });
    }

    @Test
    void a_word_changed_in_a_verdict_is_found() {
        PolicyEvent row = first(it -> decision(it)
                && !((List<?>) payload(it).get("violations")).isEmpty()
                && payload(it).get("trade") != null);

        assertThat(found(row, members -> {
                    List<Object> violations = new ArrayList<>();
                    for (Object item : (List<?>) members.get("violations")) {
                        Map<String, @Nullable Object> violation = new HashMap<>(((Document) item).members());
                        violation.put("message", "Because.");
                        violations.add(violation);
                    }
                    members.put("violations", violations);
                    return members;
                }))
                .startsWith("The member violations says ");
    }

    @Test
    void another_number_of_a_flow_or_a_limit_left_out_is_found() {
        PolicyEvent row = first(it -> decision(it)
                && payload(it).get("limits") != null
                && payload(it).get("limits").toString().contains("trades"));

        assertThat(found(row, members -> {
                    List<Object> limits = new ArrayList<>();
                    for (Object item : (List<?>) members.get("limits")) {
                        Map<String, @Nullable Object> limit = new HashMap<>(((Document) item).members());
                        limit.computeIfPresent("trades", (any, trades) -> new BigDecimal(77));
                        limits.add(limit);
                    }
                    members.put("limits", limits);
                    return members;
                }))
                .contains(" had counted ");
        assertThat(found(row, members -> {
                    members.remove("limits");
                    return members;
                }))
                .contains("does not say what limit ");
    }

    @Test
    void another_number_of_an_approval_or_one_left_out_is_found() {
        PolicyEvent row = first(it -> decision(it) && payload(it).get("approvalCounts") != null);
        Map<String, @Nullable Object> count =
                new HashMap<>(((Document) ((List<?>) payload(row).get("approvalCounts")).get(0)).members());
        count.put("uses", new BigDecimal(2));

        assertThat(found(row, with("approvalCounts", List.of(count)))).contains("was used, not");
        assertThat(found(row, members -> {
                    members.remove("approvalCounts");
                    return members;
                }))
                .contains("was used, not");
    }

    @Test
    void a_row_from_before_violations_named_their_standing_rules_is_recomputed() {
        assertThat(differences(
                        Recomputation.begin(),
                        changed(ofStandingRule(), UNSIGNED::sign, members -> withRuleIds(members, null))))
                .isEmpty();
    }

    @Test
    void another_standing_rule_named_in_a_violation_is_found() {
        assertThat(found(ofStandingRule(), members -> withRuleIds(members, "another rule")))
                .startsWith("The member violations says ");
    }

    private static PolicyEvent ofStandingRule() {
        return first(
                it -> decision(it) && payload(it).get("violations").toString().contains("ruleId"));
    }

    private static Map<String, @Nullable Object> withRuleIds(
            Map<String, @Nullable Object> members, @Nullable String id) {
        List<Object> violations = new ArrayList<>();
        for (Object item : (List<?>) members.get("violations")) {
            Map<String, @Nullable Object> violation = new HashMap<>(((Document) item).members());
            if (violation.remove("ruleId") != null && id != null) {
                violation.put("ruleId", id);
            }
            violations.add(violation);
        }
        members.put("violations", violations);
        return members;
    }

    @Test
    void a_verdict_recomputed_under_another_statement_is_found() {
        PolicyEvent row = first(it -> decision(it)
                && payload(it).get("ipsVersion") != null
                && payload(it).get("ipsVersion").toString().equals("2"));

        assertThat(found(row, with("ipsVersion", 1)))
                .isEqualTo("The decision was held against version 1 of the statement; version 2 was in force.");
    }

    @Test
    void a_clock_set_back_is_found() {
        PolicyEvent row = first(RecomputationTest::decision);

        assertThat(found(row, with("checkedAt", "2026-11-20T00:00:00.000000Z")))
                .isEqualTo("The clock of the decision is not the time of its row.");
    }

    @Test
    void calls_and_dollars_that_the_chain_contradicts_are_found() {
        PolicyEvent row = first(it -> decision(it)
                && it.seq() > 100
                && payload(it).get("kind").equals("validate")
                && !hasDailyCallCap(payload(it).get("agentKeyId")));
        Document used = (Document) payload(row).get("used");

        assertThat(found(row, with("used", changed(used, "calls", 9_999))))
                .matches("The key had used \\d+ calls of the day, not 9999\\.");
        assertThat(found(row, with("used", changed(used, "usd", "123456789"))))
                .matches("The key had used [0-9.]+ USD of the day, not 123456789\\.");
        assertThat(found(row, with("used", changed(used, "aum", "123456789"))))
                .matches("The key managed [0-9.]+ to [0-9.]+ USD, not 123456789\\.");
    }

    /**
     * With a daily call cap only the growth of the calls is checked, because calls without a decision count as well.
     */
    private static boolean hasDailyCallCap(Object agentKeyId) {
        return CHAIN.stream()
                .filter(it -> it.kind() == EventKind.KEY_MINTED
                        && payload(it).get("agentKeyId").equals(agentKeyId))
                .map(it -> (Document) payload(it).get("policy"))
                .anyMatch(policy -> policy.members().get("dailyCallCap") != null);
    }

    @Test
    void an_unreadable_trade_must_say_so() {
        PolicyEvent row = first(it -> decision(it) && payload(it).get("kind").equals("validate"));

        assertThat(found(row, with("trade", null)))
                .isEqualTo("The trade is missing, but the violations are not those of an unreadable one.");
    }

    @Test
    void a_decision_of_a_key_that_never_was_or_no_longer_worked_is_found() {
        PolicyEvent row = first(it -> decision(it) && payload(it).get("kind").equals("validate"));
        PolicyEvent revoked = first(it -> it.kind() == EventKind.KEY_REVOKED);
        PolicyEvent after = first(it -> it.seq() > revoked.seq()
                && decision(it)
                && payload(it).get("kind").equals("validate"));

        assertThat(found(row, with("agentKeyId", "00000000-0000-4000-8000-000000000009")))
                .isEqualTo("The key 00000000-0000-4000-8000-000000000009 was never minted.");
        assertThat(found(after, with("agentKeyId", payload(revoked).get("agentKeyId"))))
                .isEqualTo("The key " + payload(revoked).get("agentKeyId") + " did not work any more.");
    }

    @Test
    void a_statement_left_out_is_found() {
        PolicyEvent row = first(it -> it.kind() == EventKind.IPS_AMENDED);

        assertThat(found(row, with("ipsVersion", 7)))
                .isEqualTo("Version 7 of the statement does not follow version 1.");
    }

    @Test
    void an_attested_request_must_be_the_proposed_one() {
        PolicyEvent row = first(it -> decision(it) && payload(it).get("kind").equals("attestation"));

        assertThat(found(row, with("serviceRequestId", 999_999)))
                .isEqualTo("The user attested a request that is not open, or another trade than was proposed.");
    }

    @Test
    void an_unreadable_payload_is_a_difference() {
        PolicyEvent row = first(RecomputationTest::decision);

        for (Object junk : new Object[] {"x", 7, List.of(), Map.of(), true}) {
            Set<String> names = new HashSet<>(payload(row).members().keySet());
            names.removeAll(Set.of("salt", "rationale"));
            names.removeIf(name -> junk.equals(payload(row).get(name)));
            for (String name : names) {
                assertThat(found(row, with(name, junk)))
                        .describedAs(name + " " + junk)
                        .isNotEmpty();
            }
        }
    }

    @Test
    void erased_decisions_are_counted_and_all_others_recomputed() {
        List<PolicyEvent> rows = new ArrayList<>(CHAIN);
        PolicyEvent decision = first(it -> decision(it) && it.seq() > 50);
        PolicyEvent statement = first(it -> it.kind() == EventKind.IPS_AMENDED);
        rows.replaceAll(row -> row == decision || row == statement ? EmergencyVectors.erased(row) : row);
        Recomputation recomputation = Recomputation.begin();

        assertThat(differences(recomputation, rows)).isEmpty();
        assertThat(recomputation.count(RecomputationResult.ERASED)).isGreaterThan(1);
        assertThat(recomputation.count(RecomputationResult.RECOMPUTED)).isPositive();
    }
}
