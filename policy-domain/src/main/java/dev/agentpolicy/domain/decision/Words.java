package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers as a person reads them in a message. */
final class Words {
    private static final int SHOWN_DECIMALS = 8;
    private static final int GROUP = 3;

    private Words() {}

    /** {@code 12,500.5 USD}. */
    static String usd(Usd amount) {
        BigDecimal value = amount.value();
        Usd shown = value.scale() <= SHOWN_DECIMALS
                ? amount
                : new Usd(value.setScale(SHOWN_DECIMALS, RoundingMode.HALF_EVEN));
        return grouped(shown.toString(), " USD");
    }

    /** The percent after a trade, which is said to be just off the limit where rounding hides that it is. */
    static String against(Fraction actual, Fraction limit, String side) {
        return actual.equals(limit) ? "just " + side + " " + limit.inPercent() : actual.inPercent();
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
