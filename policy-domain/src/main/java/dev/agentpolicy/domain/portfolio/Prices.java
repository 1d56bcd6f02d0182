package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
        BigDecimal better = of(custodian, valued).value().subtract(moved.price().value());
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
