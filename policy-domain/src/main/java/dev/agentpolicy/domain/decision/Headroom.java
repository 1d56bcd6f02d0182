package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The amounts of a trade that the policy allows at one moment, exact to the cent.
 *
 * <p>Amounts have at most two decimals and are at most {@link TradePayload#MAX_AMOUNT_USD}. A rule that blocks an amount
 * also blocks every larger one, so there is either one interval, which begins at 0, or none.
 *
 * @param intervals the allowed amounts, the smallest first; empty when not even 0 is allowed
 * @param binding the violation of a trade of one cent more than the largest allowed amount, or of 0 when nothing is
 *     allowed; if there are several, the first in the order of {@link Decision#reason}; null when only the largest amount
 *     a trade may have is the limit
 */
public record Headroom(List<Interval> intervals, @Nullable Violation binding) {
    static final Usd CENT = Usd.of("0.01");

    public Headroom {
        intervals = List.copyOf(intervals);
    }

    /**
     * All amounts from one to another, both included.
     *
     * @param min smallest amount
     * @param max largest amount
     */
    public record Interval(Usd min, Usd max) {

        /** @throws IllegalArgumentException when min is above max */
        public Interval {
            if (min.isAbove(max)) {
                throw new IllegalArgumentException("An interval needs min <= max.");
            }
        }
    }

    /**
     * The headroom of one asset and action: what {@link Evaluator#decide} allows in this context with any other amount.
     *
     * @param it the context of a trade whose own amount is ignored
     * @throws IllegalArgumentException when the expected slippage is not from 0 to 100 percent
     */
    public static Headroom of(EvaluationContext it) {
        Fraction slippage = it.trade().slippage();
        if (Fraction.ZERO.isAbove(slippage) || slippage.isAbove(Fraction.ONE)) {
            throw new IllegalArgumentException("The expected slippage must be from 0 to 100 percent.");
        }
        Violation always = firstViolation(it, Usd.ZERO);
        if (always != null) {
            return new Headroom(List.of(), always);
        }
        // Without a statement or a snapshot, the amount 0 is blocked.
        IpsVersion version = Objects.requireNonNull(it.ips());
        Snapshot now = Objects.requireNonNull(it.snapshot());
        Usd largest = LargestAmount.of(it, version.ips(), now);
        boolean isUnlimited = largest.value().compareTo(TradePayload.MAX_AMOUNT_USD) == 0;
        Violation binding = isUnlimited ? null : Objects.requireNonNull(firstViolation(it, justAbove(largest)));
        return new Headroom(List.of(new Interval(Usd.ZERO, largest)), binding);
    }

    /** The largest allowed amount: 0 when only 0 is allowed, null when nothing is. */
    public @Nullable Usd maxAllowed() {
        return intervals.isEmpty() ? null : intervals.get(intervals.size() - 1).max();
    }

    /** The smallest amount above another: one cent more. */
    public static Usd justAbove(Usd amount) {
        return amount.plus(CENT);
    }

    private static @Nullable Violation firstViolation(EvaluationContext it, Usd amount) {
        List<Violation> violations = Evaluator.decide(it.withAmount(amount)).violations();
        return violations.isEmpty() ? null : violations.get(0);
    }

    /**
     * Finds the largest amount that passes every rule, for a trade of which at least the amount 0 passes.
     *
     * <p>Each method inverts the check of the same name: it solves the inequality of the rule for the amount {@code a}. In the
     * formulas, {@code T} is the total value, {@code K} the cash, {@code X} the sleeve of the trade, {@code P} the peak, all
     * before the trade, and {@code s} is the slippage from 0 to 1. All inequalities then have the form {@code a * c <= r} with
     * {@code c >= 0}, so a rule that blocks an amount also blocks every larger one. Rules that do not depend on the amount are
     * not looked at here, since they would block the amount 0.
     */
    private static final class LargestAmount {
        private static final int CENTS = 2;
        private static final BigDecimal NOT_EVEN_ZERO = BigDecimal.ONE.negate();

        private final EvaluationContext context;
        private final Trade trade;
        private final Ips ips;
        private final Snapshot now;
        private final BigDecimal total;
        private final BigDecimal slippage;

        private LargestAmount(EvaluationContext context, Ips ips, Snapshot now) {
            this.context = context;
            this.trade = context.trade();
            this.ips = ips;
            this.now = now;
            this.total = now.total().value();
            this.slippage = trade.slippage().value();
        }

        /** The amount in whole cents, at most {@link TradePayload#MAX_AMOUNT_USD}. */
        static Usd of(EvaluationContext context, Ips ips, Snapshot now) {
            LargestAmount rules = new LargestAmount(context, ips, now);
            BigDecimal largest = TradePayload.MAX_AMOUNT_USD;
            largest = rules.shorting(largest);
            largest = rules.bands(largest);
            largest = rules.cashFloor(largest);
            largest = rules.cash(largest);
            largest = rules.drawdown(largest);
            largest = rules.caps(largest);
            largest = rules.standingRules(largest);
            largest = rules.limits(largest);
            return new Usd(largest);
        }

        private BigDecimal shorting(BigDecimal largest) {
            Usd held = context.held();
            return trade.isBuy() || held == null ? largest : atMost(held.value(), largest);
        }

        private BigDecimal bands(BigDecimal largest) {
            AllocationBand band = ips.band(trade.assetType());
            BigDecimal sleeve = now.sleeve(trade.assetType()).value();
            if (trade.isBuy()) {
                // X + a(1-s) <= max(T - as)
                BigDecimal max = band.max().value();
                BigDecimal room = max.multiply(total).subtract(sleeve);
                return atMost(room, oneLessSlippageTimes(BigDecimal.ONE.subtract(max)), largest);
            }
            // X - a >= min(T - as)
            BigDecimal min = band.min().value();
            return atMost(sleeve.subtract(min.multiply(total)), oneLessSlippageTimes(min), largest);
        }

        /** A sell does not lower cash. Neither does a buy of nothing, so it is allowed even where cash is below its floor. */
        private BigDecimal cashFloor(BigDecimal largest) {
            if (!trade.isBuy()) {
                return largest;
            }
            // K - a >= floor(T - as)
            BigDecimal floor = ips.cashFloor().value();
            BigDecimal room = now.cash().value().subtract(floor.multiply(total));
            return room.signum() < 0 ? BigDecimal.ZERO : atMost(room, oneLessSlippageTimes(floor), largest);
        }

        private BigDecimal cash(BigDecimal largest) {
            return trade.isBuy() ? atMost(now.cash().value(), largest) : largest;
        }

        /** A portfolio that is beyond the limit already may still sell, since such a sell does not cross the limit. */
        private BigDecimal drawdown(BigDecimal largest) {
            // P - (T - as) <= P * maxDrawdown
            BigDecimal kept = BigDecimal.ONE.subtract(ips.maxDrawdown().value());
            BigDecimal room = total.subtract(now.peak().value().multiply(kept));
            return room.signum() < 0 ? largest : atMost(room, slippage, largest);
        }

        private BigDecimal caps(BigDecimal largest) {
            Usd aumCap = context.policy().aumCapUsd();
            BigDecimal underAumCap = aumCap == null || !trade.isBuy()
                    ? largest
                    : atMost(aumCap.minus(context.used().aum()).value(), largest);
            Usd usdCap = context.policy().dailyUsdCap();
            return usdCap == null
                    ? underAumCap
                    : atMost(usdCap.minus(context.used().usd()).value(), underAumCap);
        }

        private BigDecimal standingRules(BigDecimal largest) {
            BigDecimal unblocked = largest;
            for (StandingRule rule : ips.standingRules()) {
                Usd above = rule.when().amountUsdAbove();
                Usd passing = approved(rule.id(), rule.effect(), above == null ? Usd.ZERO : above);
                if (rule.matches(withMoreThan(passing), context.now())) {
                    unblocked = atMost(passing.value(), unblocked);
                }
            }
            return unblocked;
        }

        /** The largest amount that a rule lets pass: approvals let pass more than the rule does by itself. */
        private Usd approved(String rule, StandingRule.Effect effect, Usd byItself) {
            Usd largest = byItself;
            if (effect == StandingRule.Effect.REQUIRE_APPROVAL) {
                for (ApprovalUse use : context.approvals()) {
                    if (use.isAbout(rule, trade)) {
                        Usd max = use.largest();
                        largest = largest.max(max == null ? new Usd(TradePayload.MAX_AMOUNT_USD) : max);
                    }
                }
            }
            return largest;
        }

        private BigDecimal limits(BigDecimal largest) {
            BigDecimal within = largest;
            for (LimitMeasure measure : context.limits()) {
                Limit limit = context.limit(measure);
                Usd passing = new Usd(limit.isFlow() ? flow(limit, measure) : share(limit, measure));
                within = atMost(approved(limit.id(), limit.effect(), passing).value(), within);
            }
            return within;
        }

        /** The largest amount that a flow lets pass; below 0 when it lets none pass. */
        private static BigDecimal flow(Limit limit, LimitMeasure measure) {
            Integer maxTrades = limit.maxTrades();
            Usd maxUsd = limit.maxUsd();
            if (maxTrades != null && Objects.requireNonNull(measure.trades()) >= maxTrades) {
                return NOT_EVEN_ZERO;
            }
            return maxUsd == null
                    ? TradePayload.MAX_AMOUNT_USD
                    : maxUsd.minus(Objects.requireNonNull(measure.usd())).value();
        }

        /** The largest amount that a position or a loss lets pass; below 0 when it lets none pass. */
        private BigDecimal share(Limit limit, LimitMeasure measure) {
            if (!trade.isBuy()) {
                return TradePayload.MAX_AMOUNT_USD;
            }
            BigDecimal max = limit.most().value();
            BigDecimal less = BigDecimal.ONE.subtract(max);
            Usd peak = measure.peak();
            // held + a(1-s) <= max(T - as), or P - (T - as) <= P * max
            BigDecimal room = peak == null
                    ? max.multiply(total)
                            .subtract(Objects.requireNonNull(measure.held()).value())
                    : total.subtract(peak.value().multiply(less));
            BigDecimal factor = peak == null ? oneLessSlippageTimes(less) : slippage;
            return room.signum() < 0 ? NOT_EVEN_ZERO : atMost(room, factor, TradePayload.MAX_AMOUNT_USD);
        }

        private Trade withMoreThan(Usd amount) {
            return new Trade(trade.action(), trade.asset(), trade.assetType(), amount.plus(Headroom.CENT), null);
        }

        private BigDecimal oneLessSlippageTimes(BigDecimal part) {
            return BigDecimal.ONE.subtract(slippage.multiply(part));
        }

        private static BigDecimal atMost(BigDecimal limit, BigDecimal largest) {
            return largest.compareTo(limit) > 0 ? limit.setScale(CENTS, RoundingMode.FLOOR) : largest;
        }

        /** The largest {@code a} with {@code a * factor <= limit}; with a factor of 0, every amount passes. */
        private static BigDecimal atMost(BigDecimal limit, BigDecimal factor, BigDecimal largest) {
            return largest.multiply(factor).compareTo(limit) > 0
                    ? limit.divide(factor, CENTS, RoundingMode.FLOOR)
                    : largest;
        }
    }
}
