package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.quantity.Fraction;

/**
 * The fraction of the portfolio that one sleeve may be.
 *
 * @param min the least fraction after a sell
 * @param target advice to agents; not enforced
 * @param max the greatest fraction after a buy
 */
public record AllocationBand(Fraction min, Fraction target, Fraction max) {

    /** @throws IllegalArgumentException unless 0 &lt;= min &lt;= target &lt;= max &lt;= 1 */
    public AllocationBand {
        if (!isOrdered(min, target, max)) {
            throw new IllegalArgumentException("A band needs 0 <= min <= target <= max <= 1.");
        }
    }

    /** The band between two fractions given as decimal text. */
    public static AllocationBand of(String min, String target, String max) {
        return new AllocationBand(Fraction.of(min), Fraction.of(target), Fraction.of(max));
    }

    static boolean isOrdered(Fraction min, Fraction target, Fraction max) {
        return min.compareTo(Fraction.ZERO) >= 0
                && min.compareTo(target) <= 0
                && target.compareTo(max) <= 0
                && max.compareTo(Fraction.ONE) <= 0;
    }
}
