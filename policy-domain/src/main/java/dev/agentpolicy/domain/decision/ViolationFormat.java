package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.rule.Violation;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Formats the numbers of a violation for its message. */
final class ViolationFormat {
    private static final int SHOWN_DECIMALS = 8;
    private static final int GROUP = 3;

    private ViolationFormat() {}

    /** {@code 12,500.5 USD}. */
    static String usd(@Nullable BigDecimal amount) {
        BigDecimal value = Objects.requireNonNull(amount);
        BigDecimal shown = value.scale() <= SHOWN_DECIMALS
                ? value
                : value.setScale(SHOWN_DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return grouped(shown.toPlainString(), " USD");
    }

    /** The limit in percent, such as {@code 35%}. */
    static String limit(Violation it) {
        return fraction(it.limit()).inPercent() + "%";
    }

    /**
     * The actual value in percent, or {@code just above 35%} where rounding would hide the difference from the limit.
     */
    static String actual(Violation it, String side) {
        Fraction limit = fraction(it.limit());
        Fraction actual = fraction(it.actual());
        return (actual.equals(limit) ? "just " + side + " " + limit.inPercent() : actual.inPercent()) + "%";
    }

    /** The limit in dollars, or {@code just under 500 USD} where rounding would hide that the actual value is above it. */
    static String limitBelow(Violation it) {
        String limit = usd(it.limit());
        return (limit.equals(usd(it.actual())) ? "just under " : "") + limit;
    }

    private static Fraction fraction(@Nullable BigDecimal value) {
        return new Fraction(Objects.requireNonNull(value));
    }

    private static String grouped(String plain, String unit) {
        int point = plain.indexOf('.') < 0 ? plain.length() : plain.indexOf('.');
        int first = plain.startsWith("-") ? 1 : 0;
        StringBuilder text = new StringBuilder(plain);
        for (int i = point - GROUP; i > first; i -= GROUP) {
            text.insert(i, ',');
        }
        return text.append(unit).toString();
    }
}
