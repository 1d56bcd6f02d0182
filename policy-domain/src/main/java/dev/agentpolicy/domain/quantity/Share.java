package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A part of a whole, both in USD, made by {@link Usd#shareOf}. Comparisons are exact, because they do not divide. */
public final class Share {
    private final Usd part;
    private final Usd whole;

    Share(Usd part, Usd whole) {
        this.part = part;
        this.whole = whole;
    }

    /** The part. */
    public Usd part() {
        return part;
    }

    /** The whole. */
    public Usd whole() {
        return whole;
    }

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

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Share that && part.equals(that.part) && whole.equals(that.whole);
    }

    @Override
    public int hashCode() {
        return Objects.hash(part, whole);
    }

    @Override
    public String toString() {
        return part + "/" + whole;
    }
}
