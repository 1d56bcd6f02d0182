package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.RandomCase.Bound;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.Seeded;
import java.math.BigInteger;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Laws that every decision obeys. */
@Tag("slow")
class EvaluatorLawsTest {
    private static final int CASES = 20_000;
    private static final Set<Rule> MAXIMA = EnumSet.of(Rule.CRYPTO_MAX_ALLOCATION, Rule.TRADFI_MAX_ALLOCATION);
    private static final Set<Rule> MINIMA = EnumSet.of(Rule.CRYPTO_MIN_ALLOCATION, Rule.TRADFI_MIN_ALLOCATION);

    @Test
    void a_larger_buy_never_clears_a_maximum_the_cash_or_a_cap() {
        Set<Rule> growing = EnumSet.of(
                Rule.CRYPTO_MAX_ALLOCATION,
                Rule.TRADFI_MAX_ALLOCATION,
                Rule.INSUFFICIENT_CASH,
                Rule.DRAWDOWN_EXCEEDED,
                Rule.AGENT_AUM_CAP);
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.buy = true;
            Set<Rule> before = rules(it);
            it.amount += random.nextLong(1 + it.amount);

            before.retainAll(growing);
            assertThat(rules(it)).containsAll(before);
        });
    }

    @Test
    void a_larger_sell_never_clears_a_minimum_or_a_cap() {
        Set<Rule> growing = EnumSet.of(Rule.CRYPTO_MIN_ALLOCATION, Rule.TRADFI_MIN_ALLOCATION, Rule.AGENT_AUM_CAP);
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.buy = false;
            Set<Rule> before = rules(it);
            it.amount += random.nextLong(1 + it.amount);

            before.retainAll(growing);
            assertThat(rules(it)).containsAll(before);
        });
    }

    @Test
    void a_sell_is_never_stopped_by_a_max_band_and_a_buy_never_by_a_min_band() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);

            assertThat(rules(it)).doesNotContainAnyElementsOf(it.buy ? MINIMA : MAXIMA);
        });
    }

    @Test
    void a_portfolio_outside_its_band_can_be_brought_back() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.hasIps = it.hasSnapshot = true;
            it.slippage = null;
            it.cryptoValue -= it.cryptoValue % RandomCase.WHOLE;
            it.tradfiValue -= it.tradfiValue % RandomCase.WHOLE;
            it.cash -= it.cash % RandomCase.WHOLE;
            long total = it.cryptoValue + it.tradfiValue + it.cash;
            long sleeve = it.crypto ? it.cryptoValue : it.tradfiValue;
            long[] band = it.crypto ? it.cryptoBand : it.tradfiBand;
            long target = total / RandomCase.WHOLE * band[1];
            it.buy = sleeve < target;
            it.amount = Math.abs(target - sleeve);

            assertThat(rules(it)).doesNotContainAnyElementsOf(MAXIMA).doesNotContainAnyElementsOf(MINIMA);
        });
    }

    @Test
    void insufficient_cash_excludes_the_cash_floor() {
        Seeded.times(CASES, random -> {
            Set<Rule> rules = rules(RandomCases.draw(random));

            assertThat(rules.contains(Rule.CASH_FLOOR) && rules.contains(Rule.INSUFFICIENT_CASH))
                    .isFalse();
        });
    }

    @Test
    void an_allowed_trade_exceeds_no_limit() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            EvaluationContext asked = it.circumstances();
            if (!Evaluator.decide(asked).isAllowed()) {
                return;
            }
            Ips ips = asked.ips().ips();
            Projection after = Projection.of(asked.snapshot(), asked.trade());
            if (it.buy) {
                assertThat(after.cash()).isGreaterThanOrEqualTo(Usd.ZERO);
                assertThat(after.share(asked.trade().assetType())
                                .isAbove(ips.band(asked.trade().assetType()).max()))
                        .isFalse();
            }
            assertThat(asked.trade().slippage()).isLessThanOrEqualTo(ips.maxSlippage());
            assertThat(it.usdCap < 0 || it.usedUsd + it.amount <= it.usdCap).isTrue();
            assertThat(it.aumCap < 0 || !it.buy || it.usedAum + it.amount <= it.aumCap)
                    .isTrue();
            assertThat(it.callCap < 0 || it.usedCalls + 1 <= it.callCap).isTrue();
            it.limits.stream()
                    .filter(limit -> asked.limits().stream()
                            .anyMatch(checked -> checked.id().equals(limit.id())))
                    .forEach(limit -> assertThat(isWithin(limit, it)).isTrue());
        });
    }

    @Test
    void violations_are_sorted_and_decisions_are_deterministic() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            Decision decision = Evaluator.decide(it.circumstances());

            assertThat(decision).isEqualTo(Evaluator.decide(it.circumstances()));
            assertThat(decision.violations()).extracting(Violation::rule).isSorted();
            assertThat(decision.isAllowed()).isEqualTo(decision.violations().isEmpty());
        });
    }

    @Test
    void every_violation_has_a_message_of_one_sentence() {
        Seeded.times(
                CASES,
                random -> Evaluator.decide(RandomCases.draw(random).circumstances())
                        .violations()
                        .forEach(violation ->
                                assertThat(violation.message()).matches("[A-Z0-9][^\\n]*[A-Za-z0-9%]\\.")));
    }

    /**
     * The drawdown limit of a buy only: a sell that begins beyond a low limit may cross a higher one. Without the name of
     * its coin a pair is an unknown asset, and what was not evaluated may fire.
     */
    @Test
    void removing_a_restriction_never_blocks_an_allowed_trade() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            Set<Rule> before = rules(it);
            switch (random.nextInt(11)) {
                case 0 -> it.aumCap = it.usdCap = it.callCap = -1;
                case 1 -> it.keyAssets = null;
                case 2 -> it.keySleeves = null;
                case 3 -> it.rules.clear();
                case 4 -> it.levels = Map.of();
                case 5 -> it.buyAllowed = it.sellAllowed = true;
                case 6 -> it.cashFloor = 0;
                case 7 -> it.maxSlippage = RandomCase.WHOLE;
                case 8 -> it.maxDrawdown = it.buy ? RandomCase.WHOLE : it.maxDrawdown;
                case 9 -> it.limits.clear();
                default -> it.cryptoBand = it.tradfiBand = new long[] {0, 0, RandomCase.WHOLE};
            }
            it.standardLevel = "full";

            if (!before.contains(Rule.INVALID_PAYLOAD)) {
                assertThat(before).containsAll(rules(it));
            }
        });
    }

    @Test
    void an_amount_of_zero_changes_no_share() {
        Seeded.times(CASES, random -> {
            RandomCase it = RandomCases.draw(random);
            it.amount = 0;
            it.hasSnapshot = true;
            EvaluationContext asked = it.circumstances();

            if (asked.snapshot() != null) {
                Projection after = Projection.of(asked.snapshot(), asked.trade());
                assertThat(after.share(asked.trade().assetType()))
                        .isEqualTo(asked.snapshot().share(asked.trade().assetType()));
            }
            assertThat(rules(it)).doesNotContain(Rule.CASH_FLOOR, Rule.INSUFFICIENT_CASH);
        });
    }

    /** In whole units: what would be held, and the total that would be left, both times the whole of the slippage. */
    private static boolean isWithin(Bound limit, RandomCase it) {
        if (limit.kind().equals("flow")) {
            return (limit.maxUsd() < 0 || limit.usd() + it.amount <= limit.maxUsd())
                    && (limit.maxTrades() < 0 || limit.trades() < limit.maxTrades());
        }
        BigInteger all = RandomCase.SLIPPAGE_IN_A_MILLIONTH.multiply(BigInteger.valueOf(RandomCase.WHOLE));
        BigInteger lost = BigInteger.valueOf(it.amount).multiply(it.slippageOrNone());
        BigInteger total = BigInteger.valueOf(it.cryptoValue + it.tradfiValue + it.cash)
                .multiply(all)
                .subtract(lost);
        BigInteger whole = BigInteger.valueOf(RandomCase.WHOLE);
        BigInteger max = BigInteger.valueOf(limit.max());
        if (!it.buy) {
            return true;
        }
        if (limit.kind().equals("position")) {
            BigInteger held =
                    BigInteger.valueOf(limit.usd() + it.amount).multiply(all).subtract(lost);
            return held.multiply(whole).compareTo(max.multiply(total)) <= 0;
        }
        BigInteger kept = limit.peak().multiply(all).multiply(whole.subtract(max));
        return total.multiply(RandomCase.PEAK_IN_A_UNIT).multiply(whole).compareTo(kept) >= 0;
    }

    private static Set<Rule> rules(RandomCase it) {
        return Evaluator.decide(it.circumstances()).violations().stream()
                .map(Violation::rule)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
    }
}
