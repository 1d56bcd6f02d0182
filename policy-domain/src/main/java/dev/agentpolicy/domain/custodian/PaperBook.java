package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.List;
import java.util.Map;

/**
 * The book of a paper custodian.
 *
 * @param custodian its id
 * @param name for people; empty for a book that does not exist
 * @param revision grows with every change; 0 for a book that does not exist
 * @param cash in USD
 * @param positions one for each symbol and sleeve, with the prices of what is held
 * @param prices of assets that are not held, in USD
 * @param market how its market behaves
 * @param orders the orders that were asked for with the book, by client order id; a change stores those it replaces
 */
public record PaperBook(
        String custodian,
        String name,
        long revision,
        Usd cash,
        List<Position> positions,
        Map<AssetSymbol, Usd> prices,
        PaperMarket market,
        Map<String, PaperOrder> orders) {

    public PaperBook {
        positions = List.copyOf(positions);
        prices = Map.copyOf(prices);
        orders = Map.copyOf(orders);
    }

    /** A book that does not exist. */
    public static PaperBook none(String custodian) {
        return new PaperBook(custodian, "", 0, Usd.ZERO, List.of(), Map.of(), PaperMarket.OPEN, Map.of());
    }

    public boolean exists() {
        return !name.isEmpty();
    }
}
