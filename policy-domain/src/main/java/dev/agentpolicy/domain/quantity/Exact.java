package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;

/** One form for equal numbers, since records compare the scale of a decimal too. */
public final class Exact {

    private Exact() {}

    public static BigDecimal normalised(BigDecimal value) {
        if (value.scale() == 0) {
            return value;
        }
        if (value.signum() == 0) {
            return BigDecimal.ZERO;
        }
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }
}
