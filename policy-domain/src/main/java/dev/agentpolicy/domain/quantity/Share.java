package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A part of a whole, both in dollars, compared without ever being divided.
 *
 * @param part what is looked at
 * @param whole what it is a part of
 */
public record Share(Usd part, Usd whole) {

    /** Whether the part is more than that fraction of the whole, exactly. */
    public boolean isAbove(Fraction limit) {
        return part.value().compareTo(of(limit)) > 0;
    }

    /** Whether the part is less than that fraction of the whole, exactly. */
    public boolean isBelow(Fraction limit) {
        return part.value().compareTo(of(limit)) < 0;
    }

    /** Whether there is anything that this could be a part of. */
    public boolean isDefined() {
        return whole.isAbove(Usd.ZERO);
    }

    /** The fraction with six places, half even, for reports; 0 of an empty whole. */
    public Fraction rounded() {
        if (whole.isZero()) {
            return Fraction.ZERO;
        }
        BigDecimal quotient = part.value().divide(whole.value(), Fraction.REPORTED_PLACES, RoundingMode.HALF_EVEN);
        return new Fraction(quotient);
    }

    /** That fraction of the whole; a comparison does not care how it is written. */
    private BigDecimal of(Fraction limit) {
        return whole.value().multiply(limit.value());
    }
}
