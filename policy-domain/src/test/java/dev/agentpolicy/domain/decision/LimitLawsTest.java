package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.Seeded;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How verdicts depend on limits, amounts and portfolios. */
@Tag("slow")
class LimitLawsTest {
    private static final int CASES = 50_000;

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
