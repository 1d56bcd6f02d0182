package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.Headroom.Interval;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The headroom is the inverse of the evaluator; on fifty times as many accounts with {@code -Plong}. */
@Tag("slow")
class HeadroomLawsTest {
    private static final int CASES = 20_000;
    private static final int LONG = 1_000_000;
    private static final int ANYWHERE = 8;
    /** The largest amount of a trade, in cents. */
    private static final long LAST = 100_000_000_000_000L;
    /** Amounts that the reference can hold, in cents. */
    private static final long OF_THE_REFERENCE = 10_000_000_000L;

    private static final long UNITS_IN_A_CENT = RandomCase.USD / 100;

    @Test
    void the_headroom_allows_what_the_evaluator_allows_to_the_cent_and_names_the_rule_that_blocks_a_cent_more() {
        Seeded.times(ExperimentSettings.times(CASES, LONG), random -> {
            RandomCase drawn = draw(random);
            EvaluationContext it = drawn.circumstances();
            Headroom headroom = Headroom.of(it);
            long largest = largestByBisection(it);

            assertSame(headroom.intervals(), largest < 0 ? List.of() : List.of(new Interval(Usd.ZERO, usd(largest))));
            assertSame(headroom.binding(), largest == LAST ? null : first(decide(it, largest + 1)));
            for (long cents : amounts(drawn, largest, random)) {
                if (contains(headroom, cents) != decide(it, cents).isAllowed()) {
                    assertThat(decide(it, cents).isAllowed())
                            .as("%d cents", cents)
                            .isEqualTo(contains(headroom, cents));
                }
            }
        });
    }

    @Test
    void an_independent_reference_allows_the_same() {
        Seeded.times(ExperimentSettings.times(CASES, LONG), random -> {
            RandomCase it = draw(random);
            Headroom headroom = Headroom.of(it.circumstances());
            Usd largest = headroom.maxAllowed();
            long cents = largest == null ? -1 : cents(largest);
            if (cents >= OF_THE_REFERENCE) {
                return;
            }
            if (cents >= 0) {
                it.amount = cents * UNITS_IN_A_CENT;
                assertSame(ReferencePolicy.decide(it), List.of());
            }
            it.amount = (cents + 1) * UNITS_IN_A_CENT;
            assertSame(
                    ReferencePolicy.decide(it).get(0).split(" ")[0],
                    headroom.binding().rule().wireName());
        });
    }

    @Test
    void the_cases_reach_every_rule_as_the_binding_one() {
        Set<Rule> ofTheAmount = EnumSet.range(Rule.ACTION_NOT_ALLOWED, Rule.DRAWDOWN_EXCEEDED);
        ofTheAmount.addAll(
                EnumSet.of(Rule.AGENT_AUM_CAP, Rule.STANDING_RULE_BLOCKED, Rule.STANDING_RULE_REQUIRES_APPROVAL));
        Map<Rule, Integer> bound = new EnumMap<>(Rule.class);
        Map<Rule, Integer> blocked = new EnumMap<>(Rule.class);
        Seeded.times(CASES, random -> {
            Headroom headroom = Headroom.of(draw(random).circumstances());
            Usd largest = headroom.maxAllowed();
            if (largest == null) {
                blocked.merge(headroom.binding().rule(), 1, Integer::sum);
            } else if (!largest.isZero()) {
                bound.merge(headroom.binding().rule(), 1, Integer::sum);
            }
        });

        assertThat(bound.keySet()).isEqualTo(ofTheAmount);
        assertThat(bound).allSatisfy((rule, cases) -> assertThat(cases).isGreaterThan(CASES / 1_000));
        assertThat(bound.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(CASES / 4);
        assertThat(blocked.keySet())
                .isEqualTo(EnumSet.complementOf(EnumSet.of(Rule.CASH_FLOOR, Rule.INSUFFICIENT_CASH)));
        assertThat(blocked).allSatisfy((rule, cases) -> assertThat(cases).isGreaterThan(CASES / 2_000));
    }

    @Test
    void the_amount_of_the_trade_at_hand_does_not_matter() {
        Seeded.times(CASES, random -> {
            RandomCase it = draw(random);
            Headroom headroom = Headroom.of(it.circumstances());
            it.amount = random.nextLong(1_000_000 * RandomCase.USD);

            assertThat(Headroom.of(it.circumstances())).isEqualTo(headroom);
        });
    }

    /** Three of four cases let more through, since most others allow nothing at all. */
    private static RandomCase draw(Random random) {
        RandomCase it = RandomCases.draw(random);
        if (random.nextInt(4) > 0) {
            it.hasIps = it.hasSnapshot = it.buyAllowed = it.sellAllowed = true;
            it.levels = Map.of();
            it.limits = random.nextBoolean() ? it.limits : new ArrayList<>();
            it.keyAssets = null;
            it.keySleeves = null;
            it.callCap = -1;
            it.maxDrawdown = random.nextInt(4) == 0 ? it.maxDrawdown : RandomCase.WHOLE;
            it.maxSlippage = random.nextInt(4) == 0 ? it.maxSlippage : RandomCase.WHOLE;
            it.cryptoBand = wider(it.cryptoBand, random);
            it.tradfiBand = wider(it.tradfiBand, random);
        }
        return it;
    }

    private static long[] wider(long[] band, Random random) {
        return new long[] {
            random.nextBoolean() ? band[0] : 0, band[1], random.nextBoolean() ? band[2] : RandomCase.WHOLE
        };
    }

    /** The largest allowed amount in cents, found by trying; -1 for none. */
    private static long largestByBisection(EvaluationContext it) {
        long allowed = -1;
        long blocked = LAST + 1;
        while (blocked - allowed > 1) {
            long middle = (allowed + blocked) >> 1;
            if (decide(it, middle).isAllowed()) {
                allowed = middle;
            } else {
                blocked = middle;
            }
        }
        return allowed;
    }

    /** Amounts of every size, and those next to the edges of the rules when there is no slippage and when there is. */
    private static List<Long> amounts(RandomCase it, long largest, Random random) {
        long total = it.cryptoValue + it.tradfiValue + it.cash;
        long sleeve = it.crypto ? it.cryptoValue : it.tradfiValue;
        long[] band = it.crypto ? it.cryptoBand : it.tradfiBand;
        BigInteger whole = whole(RandomCase.WHOLE);
        BigInteger slippage = it.slippageOrNone().divide(RandomCase.SLIPPAGE_IN_A_MILLIONTH);
        List<BigInteger> edges = new ArrayList<>(List.of(
                BigInteger.ZERO,
                whole(largest).multiply(whole(UNITS_IN_A_CENT)),
                whole(it.cash),
                whole(it.held),
                whole(total),
                whole(sleeve),
                whole(it.amount),
                whole(it.usdCap - it.usedUsd),
                whole(it.aumCap - it.usedAum)));
        it.rules.forEach(rule -> edges.add(whole(rule.above())));
        it.limits.forEach(limit -> edges.add(whole(limit.maxUsd() - limit.usd())));
        it.limits.stream()
                .filter(limit -> limit.kind().equals("position"))
                .forEach(limit -> edges.add(edge(
                        whole(limit.max()).multiply(whole(total)),
                        limit.usd(),
                        whole(RandomCase.WHOLE - limit.max()),
                        slippage)));
        for (BigInteger lossy : List.of(BigInteger.ZERO, slippage)) {
            edges.add(edge(whole(band[2]).multiply(whole(total)), sleeve, whole(RandomCase.WHOLE - band[2]), lossy));
            edges.add(edge(whole(band[0]).multiply(whole(total)), sleeve, whole(band[0]), lossy)
                    .negate());
            edges.add(edge(whole(it.cashFloor).multiply(whole(total)), it.cash, whole(it.cashFloor), lossy)
                    .negate());
        }
        BigInteger keptOfPeak = it.peak
                .max(whole(total).multiply(RandomCase.PEAK_IN_A_UNIT))
                .divide(RandomCase.PEAK_IN_A_UNIT)
                .multiply(whole(RandomCase.WHOLE - it.maxDrawdown))
                .divide(whole);
        edges.add(whole(total).subtract(keptOfPeak).multiply(whole).divide(slippage.max(BigInteger.ONE)));
        List<Long> amounts = new ArrayList<>();
        for (BigInteger edge : edges) {
            long cents = edge.divide(whole(UNITS_IN_A_CENT)).min(whole(LAST)).longValue();
            for (long near = cents - 1; near <= cents + 1; near++) {
                if (near >= 0 && near <= LAST) {
                    amounts.add(near);
                }
            }
        }
        for (int i = 0; i < ANYWHERE; i++) {
            amounts.add(random.nextLong(1L << (1 + random.nextInt(46))) % (LAST + 1));
        }
        return amounts;
    }

    /** {@code (limit * total - part) / (1 - s * lost)}, everything in millionths and units. */
    private static BigInteger edge(BigInteger limitOfTotal, long part, BigInteger lost, BigInteger slippage) {
        BigInteger whole = whole(RandomCase.WHOLE);
        BigInteger distance = limitOfTotal.subtract(whole(part).multiply(whole));
        BigInteger factor = whole.multiply(whole).subtract(slippage.multiply(lost));
        return distance.multiply(whole).divide(factor.max(BigInteger.ONE));
    }

    private static boolean contains(Headroom headroom, long cents) {
        Usd amount = usd(cents);
        return headroom.intervals().stream().anyMatch(it -> !amount.isBelow(it.min()) && !amount.isAbove(it.max()));
    }

    private static Decision decide(EvaluationContext it, long cents) {
        Trade trade = it.trade();
        return Evaluator.decide(new EvaluationContext(
                        new Trade(
                                trade.action(), trade.asset(), trade.assetType(), usd(cents), trade.expectedSlippage()),
                        it.asset(),
                        it.ips(),
                        it.snapshot(),
                        it.held(),
                        it.policy(),
                        it.used(),
                        it.now())
                .withLimits(it.limits()));
    }

    private static Violation first(Decision decision) {
        return decision.violations().get(0);
    }

    /** Only asks for a message when it is needed, as there are millions of comparisons. */
    private static void assertSame(Object actual, Object expected) {
        if (actual == null ? expected != null : !actual.equals(expected)) {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private static Usd usd(long cents) {
        return new Usd(BigDecimal.valueOf(cents, 2));
    }

    private static long cents(Usd amount) {
        return amount.value().movePointRight(2).longValueExact();
    }

    private static BigInteger whole(long number) {
        return BigInteger.valueOf(number);
    }
}
