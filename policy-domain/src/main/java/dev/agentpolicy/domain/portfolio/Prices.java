package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * New prices of what was held before.
 *
 * @param holdings what is held now
 * @param custodian where it changed
 * @param moved what a trade moved there, at its price; null when nobody traded
 */
record Prices(
        List<CustodianHoldings> holdings,
        String custodian,
        @Nullable Position moved) {

    /** The price where the asset is held, or was traded until nothing was left; else any new price of it, else the old one. */
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
