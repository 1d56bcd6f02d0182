package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a field accepts.
 *
 * @param min the least number
 * @param max the greatest number
 * @param maxScale the most decimals
 */
record NumberRange(BigDecimal min, BigDecimal max, int maxScale) {
    static final NumberRange LONGS = integers(Long.MIN_VALUE, Long.MAX_VALUE);

    static NumberRange integers(long min, long max) {
        return new NumberRange(BigDecimal.valueOf(min), BigDecimal.valueOf(max), 0);
    }

    /** The problem of a number, or null. Compares magnitudes first, so {@code 1e999} costs no more than 1. */
    @Nullable
    String complaint(BigDecimal number) {
        if (number.compareTo(min) < 0 || number.compareTo(max) > 0) {
            return "must be a number from " + words();
        }
        boolean isTooFine = number.signum() != 0 && number.stripTrailingZeros().scale() > maxScale;
        return isTooFine ? "must have at most " + maxScale + " decimals" : null;
    }

    /** The range in words, such as {@code 0 to 100}. */
    String words() {
        return min.toPlainString() + " to " + max.toPlainString();
    }
}
