package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.quantity.Fraction;

/**
 * How much of the portfolio one sleeve may be, as fractions of the total value.
 *
 * @param min a sell must not end below it
 * @param target advice to agents; nothing enforces it
 * @param max a buy must not end above it
 */
public record AllocationBand(Fraction min, Fraction target, Fraction max) {

    /** @throws IllegalArgumentException unless 0 &lt;= min &lt;= target &lt;= max &lt;= 1 */
    public AllocationBand {
        if (!isOrdered(min, target, max)) {
            throw new IllegalArgumentException("A band needs 0 <= min <= target <= max <= 1.");
        }
    }

    static boolean isOrdered(Fraction min, Fraction target, Fraction max) {
        return min.compareTo(Fraction.ZERO) >= 0
                && min.compareTo(target) <= 0
                && target.compareTo(max) <= 0
                && max.compareTo(Fraction.ONE) <= 0;
    }
}
