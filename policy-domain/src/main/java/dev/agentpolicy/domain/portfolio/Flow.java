package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    static Usd value(List<CustodianHoldings> all, Prices prices) {
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

    /**
     * The peak, or the high of the present day, after a change of holdings. Where all custodians are paper, the new prices count at once; a broker's count
     * when {@link SyncHistory} confirms them.
     */
    Usd peak(Usd peak, Portfolio portfolio, List<CustodianHoldings> next) {
        Usd total = total(next);
        if (isNothing(portfolio.custodians())) {
            return total;
        }
        Usd known = hasBroker(portfolio.custodians()) ? peak : peak.max(before);
        Usd scaled = scaled(known);
        return hasBroker(next) ? scaled : scaled.max(total);
    }

    private static Usd total(List<CustodianHoldings> all) {
        return all.stream().map(CustodianHoldings::total).reduce(Usd.ZERO, Usd::plus);
    }

    private static boolean hasBroker(List<CustodianHoldings> all) {
        return all.stream().anyMatch(holdings -> holdings.kind().isSynced());
    }

    private static boolean isNothing(List<CustodianHoldings> all) {
        return all.stream()
                .allMatch(holdings -> holdings.cash().isZero()
                        && holdings.positions().stream()
                                .allMatch(position -> position.quantity().signum() == 0));
    }

    /**
     * The confirmed prices at a change of holdings.
     *
     * @param holdings the present holdings
     * @param history the last syncs, the present one included
     * @param custodian the custodian whose holdings changed
     * @param moved the traded position at its price; null without a trade
     */
    record Prices(
            List<CustodianHoldings> holdings,
            SyncHistory history,
            String custodian,
            @Nullable Position moved) {

        /**
         * The price at the same custodian; of a position that is not held there any more without a trade, that at another
         * custodian; else the last one it had.
         */
        Usd of(String where, Position position) {
            Optional<Usd> here = held(position, now -> now.id().equals(where));
            return (isMoved(where, position) ? here : here.or(() -> held(position, now -> true)))
                    .orElseGet(() -> history.confirmedPrice(where, position));
        }

        private boolean isMoved(String where, Position position) {
            return moved != null && where.equals(custodian) && moved.isOf(position.symbol(), position.assetType());
        }

        private Optional<Usd> held(Position old, Predicate<CustodianHoldings> at) {
            return holdings.stream()
                    .filter(at)
                    .flatMap(now -> now.position(old.symbol(), old.assetType()).stream()
                            .map(position -> history.confirmedPrice(now.id(), position)))
                    .findFirst();
        }

        /** What the trade gained against the price of its asset; negative for a loss. */
        Usd gained(List<CustodianHoldings> before, List<CustodianHoldings> after) {
            if (moved == null) {
                return Usd.ZERO;
            }
            Position had = position(before, moved);
            Position has = position(after, moved);
            BigDecimal bought = quantity(has).subtract(quantity(had));
            Position valued = had == null ? moved : had;
            BigDecimal better =
                    of(custodian, valued).value().subtract(moved.price().value());
            return new Usd(bought.multiply(better));
        }

        private @Nullable Position position(List<CustodianHoldings> all, Position of) {
            return all.stream()
                    .filter(holdings -> holdings.id().equals(custodian))
                    .flatMap(holdings -> holdings.position(of.symbol(), of.assetType()).stream())
                    .findFirst()
                    .orElse(null);
        }

        private static BigDecimal quantity(@Nullable Position position) {
            return position == null ? BigDecimal.ZERO : position.quantity();
        }
    }
}
