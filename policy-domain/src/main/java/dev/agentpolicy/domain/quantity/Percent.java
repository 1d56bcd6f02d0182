package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;

/** An exact number of hundredths: 0.5 is 50 basis points. */
public record Percent(BigDecimal value) {
    public static final Percent ZERO = new Percent(BigDecimal.ZERO);

    public Percent {
        value = Exact.normalised(value);
    }

    public static Percent of(String value) {
        return new Percent(new BigDecimal(value));
    }

    public Fraction toFraction() {
        return new Fraction(value.movePointLeft(2));
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
