package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.util.List;
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
        Usd elsewhere = moved != null && isSame(moved, old) && where.equals(custodian) ? moved.price() : null;
        for (CustodianHoldings now : holdings) {
            Position position = now.position(old.symbol(), old.assetType()).orElse(null);
            if (position != null && now.id().equals(where)) {
                return position.price();
            }
            if (position != null && elsewhere == null) {
                elsewhere = position.price();
            }
        }
        return elsewhere == null ? old.price() : elsewhere;
    }

    private static boolean isSame(Position one, Position other) {
        return one.isOf(other.symbol(), other.assetType());
    }
}
