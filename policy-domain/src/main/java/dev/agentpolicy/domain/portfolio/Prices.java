package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The new prices of former positions.
 *
 * @param holdings the present holdings
 * @param custodian the custodian whose holdings changed
 * @param moved the traded position at its price; null without a trade
 */
record Prices(
        List<CustodianHoldings> holdings,
        String custodian,
        @Nullable Position moved) {

    /**
     * The price at the same custodian, there also of a position that was sold completely; else any new price; else the
     * old one.
     */
    Usd of(String where, Position old) {
        return held(old, now -> now.id().equals(where))
                .or(() -> Optional.ofNullable(moved)
                        .filter(it -> where.equals(custodian) && it.isOf(old.symbol(), old.assetType())))
                .or(() -> held(old, now -> true))
                .orElse(old)
                .price();
    }

    private Optional<Position> held(Position old, Predicate<CustodianHoldings> at) {
        return holdings.stream()
                .filter(at)
                .flatMap(now -> now.position(old.symbol(), old.assetType()).stream())
                .findFirst();
    }
}
