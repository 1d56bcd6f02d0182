package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.TradePayload;
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
}
