package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers a field may hold.
 *
 * @param min the least
 * @param max the most
 * @param maxScale most decimals
 */
record NumberRange(BigDecimal min, BigDecimal max, int maxScale) {
    static NumberRange integers(int min, int max) {
        return new NumberRange(BigDecimal.valueOf(min), BigDecimal.valueOf(max), 0);
    }

    /** What is wrong with a number, or null; of {@code 1e999} as cheaply as of 1, since magnitudes are compared first. */
    @Nullable
    String complaint(BigDecimal number) {
        if (number.compareTo(min) < 0 || number.compareTo(max) > 0) {
            return "must be a number from " + words();
        }
        boolean isTooFine = number.signum() != 0 && number.stripTrailingZeros().scale() > maxScale;
        return isTooFine ? "must have at most " + maxScale + " decimals" : null;
    }

    /** {@code 0 to 100}. */
    String words() {
        return min.toPlainString() + " to " + max.toPlainString();
    }
}
