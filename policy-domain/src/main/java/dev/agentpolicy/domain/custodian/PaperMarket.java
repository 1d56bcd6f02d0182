package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Set;

/**
 * How the market of a paper custodian behaves, for tests and demonstrations.
 *
 * @param isOpen whether orders are filled; while it is closed they stay open
 * @param fillShare the part of an order that is filled at once, above 0; below 1 the rest stays open
 * @param rejects the assets whose orders are rejected
 */
public record PaperMarket(boolean isOpen, Fraction fillShare, Set<AssetSymbol> rejects) {
    /** Every order is filled at once. */
    public static final PaperMarket OPEN = new PaperMarket(true, Fraction.ONE, Set.of());

    public PaperMarket {
        rejects = Set.copyOf(rejects);
    }
}
