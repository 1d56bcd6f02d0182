package dev.agentpolicy.domain.quantity;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** An exact part of a whole: 0.35 is 35 percent. */
public record Fraction(BigDecimal value) implements Comparable<Fraction> {
    public static final Fraction ZERO = new Fraction(BigDecimal.ZERO);
    public static final Fraction ONE = new Fraction(BigDecimal.ONE);

    /** Decimals of a reported fraction (docs/reference/rules.md). */
    public static final int REPORTED_PLACES = 6;

    public Fraction {
        value = Exact.normalised(value);
    }

    public static Fraction of(String value) {
        return new Fraction(new BigDecimal(value));
    }

    public Fraction plus(Fraction other) {
        return new Fraction(value.add(other.value));
    }

    public Fraction minus(Fraction other) {
        return new Fraction(value.subtract(other.value));
    }

    public boolean isAbove(Fraction other) {
        return compareTo(other) > 0;
    }

    /** This fraction rounded half-even to six places, for reports only. */
    public Fraction rounded() {
        return value.scale() <= REPORTED_PLACES
                ? this
                : new Fraction(value.setScale(REPORTED_PLACES, RoundingMode.HALF_EVEN));
    }

    /** The fraction in percent, such as {@code 36.4}. */
    public String inPercent() {
        return value.movePointRight(2).toPlainString();
    }

    @Override
    public int compareTo(Fraction other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
