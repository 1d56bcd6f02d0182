package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A part of a whole, both in USD. Comparisons are exact, because they do not divide.
 *
 * @param part the part
 * @param whole the whole
 */
public record Share(Usd part, Usd whole) {

    /** Whether the part is more than a fraction of the whole. */
    public boolean isAbove(Fraction limit) {
        return part.value().compareTo(of(limit)) > 0;
    }

    /** Whether the part is less than a fraction of the whole. */
    public boolean isBelow(Fraction limit) {
        return part.value().compareTo(of(limit)) < 0;
    }

    /** Whether the whole is above 0. */
    public boolean isDefined() {
        return whole.isAbove(Usd.ZERO);
    }

    /** The share rounded half-even to six places, for reports; 0 if the whole is 0. */
    public Fraction rounded() {
        if (whole.isZero()) {
            return Fraction.ZERO;
        }
        BigDecimal quotient = part.value().divide(whole.value(), Fraction.REPORTED_PLACES, RoundingMode.HALF_EVEN);
        return new Fraction(quotient);
    }

    /** A fraction of the whole, not normalised. */
    private BigDecimal of(Fraction limit) {
        return whole.value().multiply(limit.value());
    }
}
