package dev.agentpolicy.domain.quantity;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import java.math.BigDecimal;

/** An exact amount of US dollars; negative only as a difference. */
public record Usd(BigDecimal value) implements Comparable<Usd> {
    public static final Usd ZERO = new Usd(BigDecimal.ZERO);

    private static final int GROUP = 3;
    private static final int CENTS = 2;

    /** Any amount in documents that only this service writes. */
    public static final Codec<Usd> CODEC =
            new Codec<>(Codec.DECIMAL.as(Usd::new, Usd::value).reader(), usd -> Decimals.text(usd.value));

    public Usd {
        value = Exact.normalised(value);
    }

    public static Usd of(String value) {
        return new Usd(new BigDecimal(value));
    }

    public static Usd of(long dollars) {
        return new Usd(BigDecimal.valueOf(dollars));
    }

    public Usd plus(Usd other) {
        return new Usd(value.add(other.value));
    }

    public Usd minus(Usd other) {
        return new Usd(value.subtract(other.value));
    }

    public Usd times(Fraction fraction) {
        return new Usd(value.multiply(fraction.value()));
    }

    /** This amount as a part of another. */
    public Share shareOf(Usd whole) {
        return new Share(this, whole);
    }

    public boolean isAbove(Usd other) {
        return compareTo(other) > 0;
    }

    public boolean isBelow(Usd other) {
        return compareTo(other) < 0;
    }

    public boolean isZero() {
        return value.signum() == 0;
    }

    public Usd min(Usd other) {
        return isAbove(other) ? other : this;
    }

    public Usd max(Usd other) {
        return isBelow(other) ? other : this;
    }

    /** The amount as people write it, {@code $1,200} or {@code $1,200.50}. */
    public String inDollars() {
        boolean isWhole = value.stripTrailingZeros().scale() <= 0;
        String plain =
                value.setScale(isWhole ? 0 : Math.max(CENTS, value.scale())).toPlainString();
        int point = plain.indexOf('.') < 0 ? plain.length() : plain.indexOf('.');
        StringBuilder text = new StringBuilder(plain);
        for (int i = point - GROUP; i > 0; i -= GROUP) {
            text.insert(i, ',');
        }
        return text.insert(0, '$').toString();
    }

    @Override
    public int compareTo(Usd other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value.toPlainString();
    }
}
