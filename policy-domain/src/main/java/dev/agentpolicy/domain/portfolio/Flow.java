package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * What a change of holdings brought in or took out, at confirmed prices (docs/reference/rules.md, The peak). What a
 * trade gained or lost against these prices is not part of it.
 *
 * @param before the value before the change
 * @param after the value after it
 */
record Flow(Usd before, Usd after) {
    /** Decimals of a scaled value: so many that the rounding of many flows does not add up to a cent. */
    private static final int PLACES = 12;

    static Flow between(List<CustodianHoldings> before, List<CustodianHoldings> after, Prices prices) {
        Usd gained = prices.gained(before, after);
        return new Flow(
                value(before, prices), value(after, prices).minus(gained).max(Usd.ZERO));
    }

    private static Usd value(List<CustodianHoldings> all, Prices prices) {
        return all.stream()
                .flatMap(holdings -> holdings.positions().stream()
                        .map(position -> new Usd(position.quantity()
                                .multiply(prices.of(holdings.id(), position).value()))))
                .reduce(cash(all), Usd::plus);
    }

    private static Usd cash(List<CustodianHoldings> all) {
        return all.stream().map(CustodianHoldings::cash).reduce(Usd.ZERO, Usd::plus);
    }

    /** A former value of the portfolio, as if it had happened with the present deposits. */
    Usd scaled(Usd value) {
        if (before.equals(after)) {
            return value;
        }
        // What is held but priced at nothing has no ratio.
        return before.isZero() ? value.plus(after) : ratio(value);
    }

    private Usd ratio(Usd value) {
        BigDecimal scaled = value.value().multiply(after.value());
        return new Usd(scaled.divide(before.value(), PLACES, RoundingMode.HALF_EVEN));
    }
}
