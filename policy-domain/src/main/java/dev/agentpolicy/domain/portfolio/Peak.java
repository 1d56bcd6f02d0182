package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** Moves the peak so that prices change the drawdown, but deposits and withdrawals do not (docs/reference/rules.md). */
final class Peak {
    /** Decimals of a peak: so many that the rounding of many flows does not add up to a cent. */
    private static final int PLACES = 12;

    private Peak() {}

    /**
     * With {@code M} the old quantities at the new prices and {@code N} the new total, the peak becomes
     * {@code max(peak, M) * N / M}; if the portfolio was worth nothing, it becomes {@code N}.
     */
    static Usd after(Portfolio before, List<CustodianHoldings> after, Prices prices) {
        Usd moved = before.custodians().stream()
                .map(holdings -> revalued(holdings, prices))
                .reduce(Usd.ZERO, Usd::plus);
        Usd total = after.stream().map(CustodianHoldings::total).reduce(Usd.ZERO, Usd::plus);
        if (moved.isZero()) {
            return total;
        }
        Usd peak = before.peak().max(moved);
        if (total.equals(moved)) {
            return peak;
        }
        BigDecimal scaled = peak.value().multiply(total.value()).divide(moved.value(), PLACES, RoundingMode.HALF_EVEN);
        return new Usd(scaled).max(total);
    }

    private static Usd revalued(CustodianHoldings old, Prices prices) {
        return old.positions().stream()
                .map(position -> new Usd(position.quantity()
                        .multiply(prices.of(old.id(), position).value())))
                .reduce(old.cash(), Usd::plus);
    }
}
