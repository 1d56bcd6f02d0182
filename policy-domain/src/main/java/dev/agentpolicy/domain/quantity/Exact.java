package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;

/** Gives equal decimals the same scale, so that records with equal values are equal. */
public final class Exact {

    private static final int LONG_DIGITS = 18;

    private Exact() {}

    public static BigDecimal normalised(BigDecimal value) {
        if (value.scale() == 0 || value.scale() > 0 && isMinimal(value)) {
            return value;
        }
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** Whether the last digit is not 0, so that there is nothing to strip. Allocates less than stripping. */
    private static boolean isMinimal(BigDecimal value) {
        return value.precision() <= LONG_DIGITS
                && value.scaleByPowerOfTen(value.scale()).longValue() % 10 != 0;
    }
}
