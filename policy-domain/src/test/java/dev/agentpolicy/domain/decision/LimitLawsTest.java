package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How verdicts depend on limits, amounts and portfolios. */
@Tag("slow")
class LimitLawsTest {
    private static final int CASES = ExperimentSettings.times(3_000, 50_000);

    @Test
    void a_tighter_limit_keeps_every_violation() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            List<Rule> before = rules(it);
            tighten(it, random);
            assertThat(rules(it)).containsAll(before);
        });
    }

    /** Only for a buy: with a lower limit, a sell that crossed the limit may be beyond it from the start. */
    @Test
    void a_lower_drawdown_limit_keeps_every_violation_of_a_buy() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.buy = true;
            List<Rule> before = rules(it);
            it.maxDrawdown -= random.nextLong(1 + it.maxDrawdown);
            assertThat(rules(it)).containsAll(before);
        });
    }

    @Test
    void another_standing_rule_removes_no_violation() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            List<Rule> before = rules(it);
            boolean blocks = random.nextBoolean();
            it.rules.add(Standing.always("more", blocks));
            List<Rule> after = rules(it);
            assertThat(after).containsAll(before);
            boolean isEvaluated = it.hasIps && !before.equals(List.of(Rule.INVALID_PAYLOAD));
            assertThat(after.size()).isEqualTo(before.size() + (isEvaluated ? 1 : 0));
        });
    }

    @Test
    void the_order_of_standing_rules_changes_no_verdict() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.rules.add(new Standing(
                    "last", random.nextBoolean(), Map.of(ListCondition.SYMBOLS, Set.of(it.symbol)), -1, -1, -1, "UTC"));
            List<Violation> before = violations(it);
            Collections.shuffle(it.rules, random);
            assertThat(violations(it)).containsExactlyInAnyOrderElementsOf(before);
        });
    }

    @Test
    void a_smaller_trade_than_an_allowed_one_is_allowed() {
        long allowed = allowedAfter((it, random) -> true, (it, random) -> it.amount -= random.nextLong(1 + it.amount));
        assertThat(allowed).isGreaterThan(CASES / 50);
    }

    @Test
    void a_deposit_never_blocks_a_buy_that_was_allowed() {
        long allowed = allowedAfter((it, random) -> it.buy, (it, random) -> {
            long deposit = random.nextLong(1_000_000 * RandomCase.USD);
            it.cash += deposit;
            it.peak = it.peak.add(BigInteger.valueOf(deposit).multiply(RandomCase.PEAK_IN_A_UNIT));
        });
        assertThat(allowed).isGreaterThan(CASES / 100);
    }

    @Test
    void more_usage_never_allows_more() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            List<Rule> before = rules(it);
            it.usedCalls += random.nextInt(3);
            it.usedUsd += random.nextLong(RandomCase.USD);
            it.usedAum += random.nextLong(RandomCase.USD);
            assertThat(rules(it)).containsAll(before);
        });
    }

    @Test
    void verdicts_do_not_depend_on_the_scale_of_all_amounts() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            List<Rule> before = rules(it);
            long times = 2 + random.nextInt(9);
            it.cryptoValue *= times;
            it.tradfiValue *= times;
            it.cash *= times;
            it.peak = it.peak.multiply(BigInteger.valueOf(times));
            it.amount *= times;
            it.held *= it.held < 0 ? 1 : times;
            it.usedUsd *= times;
            it.usedAum *= times;
            it.usdCap *= it.usdCap < 0 ? 1 : times;
            it.aumCap *= it.aumCap < 0 ? 1 : times;
            it.rules.replaceAll(rule -> scaled(rule, times));
            it.limits.replaceAll(limit -> scaled(limit, times));
            assertThat(rules(it)).isEqualTo(before);
        });
    }

    @Test
    void the_hour_matters_to_standing_rules_only() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.rules.clear();
            List<Violation> before = violations(it);
            it.now = it.now.plusSeconds(random.nextInt(1_000_000));
            assertThat(violations(it)).isEqualTo(before);
        });
    }

    @Test
    void a_larger_trade_passes_no_limit_that_stops_a_smaller_one() {
        ofLimits(
                (it, random) -> it.amount += random.nextLong(1 + it.amount),
                (before, after) -> assertThat(after).containsAll(before));
    }

    @Test
    void a_lower_maximum_of_a_limit_or_more_that_it_counts_keeps_every_violation() {
        ofLimits(
                (it, random) -> it.limits.replaceAll(limit -> tighter(limit, random)),
                (before, after) -> assertThat(after).containsAll(before));
    }

    @Test
    void each_limit_stops_a_trade_whatever_the_others_do() {
        Seeded.times(CASES / 5, random -> {
            RandomCase it = withLimits(random);
            List<Violation> together = violations(it);
            ResolvedAsset asset = it.asset();
            RandomCase.Bound gone = it.limits.remove(random.nextInt(it.limits.size()));
            // A limit names its assets, so without it a pair may be another asset.
            if (it.asset().equals(asset)) {
                assertThat(violations(it))
                        .isEqualTo(together.stream()
                                .filter(violation -> !gone.id().equals(violation.ruleId()))
                                .toList());
            }
        });
    }

    @Test
    void the_order_of_limits_changes_no_verdict() {
        Seeded.times(CASES, random -> {
            RandomCase it = withLimits(random);
            List<Violation> before = violations(it);
            Collections.shuffle(it.limits, random);
            assertThat(violations(it)).containsExactlyInAnyOrderElementsOf(before);
        });
    }

    @Test
    void positions_and_losses_never_stop_a_sell() {
        Seeded.times(CASES, random -> {
            RandomCase it = withLimits(random);
            it.buy = false;
            Set<String> flows = it.limits.stream()
                    .filter(limit -> limit.kind().equals("flow"))
                    .map(RandomCase.Bound::id)
                    .collect(Collectors.toSet());
            assertThat(flows).containsAll(stopping(it));
        });
    }

    /** The limits that stop a case, before a change and after it. */
    private static void ofLimits(BiConsumer<RandomCase, Random> change, BiConsumer<Set<String>, Set<String>> law) {
        int[] stopped = {0};
        Seeded.times(CASES, random -> {
            RandomCase it = withLimits(random);
            Set<String> before = stopping(it);
            change.accept(it, random);
            law.accept(before, stopping(it));
            stopped[0] += before.isEmpty() ? 0 : 1;
        });
        assertThat(stopped[0]).isGreaterThan(CASES / 10);
    }

    /** A case with one to five limits of any kind. */
    private static RandomCase withLimits(Random random) {
        RandomCase it = RandomCases.draw(random);
        it.limits.clear();
        for (int i = random.nextInt(5); i >= 0; i--) {
            it.limits.add(RandomCases.bound("l" + i, it, random));
        }
        return it;
    }

    private static Set<String> stopping(RandomCase it) {
        return violations(it).stream()
                .map(Violation::ruleId)
                .filter(id -> id != null && id.startsWith("l"))
                .collect(Collectors.toSet());
    }

    private static RandomCase.Bound tighter(RandomCase.Bound it, Random random) {
        boolean isFlow = it.kind().equals("flow");
        int what = random.nextInt(3);
        return new RandomCase.Bound(
                it.id(),
                it.kind(),
                it.blocks(),
                it.lists(),
                isFlow || what > 0 ? it.max() : it.max() - random.nextLong(1 + it.max()),
                it.maxUsd() < 1 || what > 0 ? it.maxUsd() : it.maxUsd() - random.nextLong(it.maxUsd()),
                it.maxTrades() < 1 || what > 0 ? it.maxTrades() : 1 + random.nextLong(it.maxTrades()),
                what == 1 ? it.usd() + random.nextLong(100 * RandomCase.USD) : it.usd(),
                what == 2 ? it.trades() + random.nextInt(2) : it.trades(),
                what == 1 ? it.peak().add(BigInteger.valueOf(random.nextInt(1_000_000))) : it.peak());
    }

    private static void tighten(RandomCase it, Random random) {
        switch (random.nextInt(9)) {
            case 0 -> it.cryptoBand[2] -= random.nextLong(1 + it.cryptoBand[2] - it.cryptoBand[1]);
            case 1 -> it.tradfiBand[2] -= random.nextLong(1 + it.tradfiBand[2] - it.tradfiBand[1]);
            case 2 -> it.cryptoBand[0] += random.nextLong(1 + it.cryptoBand[1] - it.cryptoBand[0]);
            case 3 -> it.tradfiBand[0] += random.nextLong(1 + it.tradfiBand[1] - it.tradfiBand[0]);
            case 4 -> it.cashFloor += random.nextLong(200_000);
            case 5 -> it.maxSlippage -= random.nextLong(1 + it.maxSlippage);
            case 6 -> it.usdCap = it.usdCap < 0 ? it.usedUsd : it.usdCap - random.nextLong(1 + it.usdCap);
            case 7 -> it.aumCap = it.aumCap < 0 ? it.usedAum : it.aumCap - random.nextLong(1 + it.aumCap);
            default -> it.buyAllowed = it.sellAllowed = false;
        }
    }

    /** The number of allowed cases, each of which must still be allowed after a change. */
    private static long allowedAfter(BiPredicate<RandomCase, Random> asked, BiConsumer<RandomCase, Random> change) {
        long[] allowed = {0};
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            lenient(it, random);
            if (asked.test(it, random) && rules(it).isEmpty()) {
                allowed[0]++;
                change.accept(it, random);
                assertThat(rules(it)).isEmpty();
            }
        });
        return allowed[0];
    }

    /** Loosens the policy, because it would allow hardly anything otherwise. */
    private static void lenient(RandomCase it, Random random) {
        it.hasIps = it.hasSnapshot = it.buyAllowed = it.sellAllowed = true;
        it.levels = Map.of();
        it.keyAssets = null;
        it.maxDrawdown = random.nextInt(4) == 0 ? it.maxDrawdown : RandomCase.WHOLE;
    }

    private static Standing scaled(Standing it, long times) {
        long above = it.above() < 0 ? it.above() : it.above() * times;
        return new Standing(it.id(), it.blocks(), it.lists(), above, it.start(), it.end(), it.tz());
    }

    private static RandomCase.Bound scaled(RandomCase.Bound it, long times) {
        long maxUsd = it.maxUsd() < 0 ? it.maxUsd() : it.maxUsd() * times;
        return new RandomCase.Bound(
                it.id(),
                it.kind(),
                it.blocks(),
                it.lists(),
                it.max(),
                maxUsd,
                it.maxTrades(),
                it.usd() * times,
                it.trades(),
                it.peak().multiply(BigInteger.valueOf(times)));
    }

    private static List<Rule> rules(RandomCase it) {
        return violations(it).stream().map(Violation::rule).toList();
    }

    private static List<Violation> violations(RandomCase it) {
        return Evaluator.decide(it.circumstances()).violations();
    }
}
