package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;

/** One form for equal numbers, since records compare the scale of a decimal too. */
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

    /** Whether the last digit is seen not to be 0, which leaves nothing to strip; unlike stripping, it costs no memory. */
    private static boolean isMinimal(BigDecimal value) {
        return value.precision() <= LONG_DIGITS
                && value.scaleByPowerOfTen(value.scale()).longValue() % 10 != 0;
    }
}
