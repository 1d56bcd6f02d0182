package dev.agentpolicy.domain.compare;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * An exact rational number.
 *
 * @param over above 0
 */
record Ratio(BigInteger number, BigInteger over) implements Comparable<Ratio> {
    static final Ratio ZERO = new Ratio(BigInteger.ZERO, BigInteger.ONE);
    private static final BigDecimal TWO = BigDecimal.valueOf(2);
    private static final int[] STEPS = {5, 2, 1};
    private static final int MAX_SCALE = 40;

    static Ratio of(BigDecimal value) {
        int scale = Math.max(0, value.scale());
        return new Ratio(value.movePointRight(scale).toBigIntegerExact(), BigInteger.TEN.pow(scale));
    }

    Ratio negated() {
        return new Ratio(number.negate(), over);
    }

    @Override
    public int compareTo(Ratio other) {
        return number.multiply(other.over).compareTo(other.number.multiply(over));
    }

    /** The greatest multiple of 10 to the power of minus a scale that is not above this. */
    BigDecimal floor(int scale) {
        BigDecimal exact = new BigDecimal(number).movePointRight(scale);
        return exact.divide(new BigDecimal(over), 0, RoundingMode.FLOOR).movePointLeft(scale);
    }

    /** This as a decimal; null when it has no end. */
    @Nullable
    BigDecimal exact() {
        BigDecimal floor = floor(MAX_SCALE);
        return of(floor).compareTo(this) == 0 ? floor : null;
    }

    /**
     * The roundest decimal between two numbers: a multiple of the largest step of 1, 2 or 5 times a power of 10, and of
     * those the nearest to the middle. Both ends are excluded unless they are equal.
     *
     * @param high null for none
     * @param scale the most decimals
     * @return null when there is none
     */
    static @Nullable BigDecimal roundest(Ratio low, @Nullable Ratio high, int scale) {
        if (high == null) {
            BigDecimal more = low.floor(0).max(BigDecimal.ONE).multiply(BigDecimal.TEN);
            return roundest(low, of(more), scale);
        }
        if (low.compareTo(high) == 0) {
            BigDecimal exact = low.exact();
            return exact == null || exact.stripTrailingZeros().scale() > scale ? null : exact;
        }
        BigDecimal above = high.floor(scale);
        int digits = above.precision() - above.scale();
        for (int places = -digits; places <= scale; places++) {
            for (int times : STEPS) {
                BigDecimal step = BigDecimal.valueOf(times).movePointLeft(places);
                BigDecimal first = multiple(low, step).add(step);
                if (of(first).compareTo(high) < 0) {
                    BigDecimal middle = low.floor(scale).add(above).divide(TWO);
                    BigDecimal near = multiple(of(middle), step).max(first);
                    BigDecimal next = near.add(step);
                    boolean isNextNearer =
                            next.subtract(middle).compareTo(middle.subtract(near)) < 0 && of(next).compareTo(high) < 0;
                    return isNextNearer ? next : near;
                }
            }
        }
        return null;
    }

    /** The greatest multiple of a step that is not above a number. */
    private static BigDecimal multiple(Ratio of, BigDecimal step) {
        Ratio times = of(step);
        return new Ratio(of.number.multiply(times.over), of.over.multiply(times.number))
                .floor(0)
                .multiply(step);
    }
}
