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
    /** More digits than any amount of this service has, before or after the point; stops arithmetic on {@code 1e999}. */
    private static final int MAX_DIGITS = 40;

    static NumberRange integers(int min, int max) {
        return new NumberRange(BigDecimal.valueOf(min), BigDecimal.valueOf(max), 0);
    }

    /** What is wrong with a number, or null. */
    @Nullable
    String complaint(BigDecimal number) {
        if (!isSane(number) || number.compareTo(min) < 0 || number.compareTo(max) > 0) {
            return "must be a number from " + words();
        }
        boolean isTooFine = number.signum() != 0 && number.stripTrailingZeros().scale() > maxScale;
        return isTooFine ? "must have at most " + maxScale + " decimals" : null;
    }

    /** {@code 0 to 100}. */
    String words() {
        return min.toPlainString() + " to " + max.toPlainString();
    }

    private static boolean isSane(BigDecimal number) {
        return number.precision() <= MAX_DIGITS
                && (long) number.precision() - number.scale() <= MAX_DIGITS
                && (long) number.scale() - number.precision() <= MAX_DIGITS;
    }
}
