package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a user says about a paper custodian.
 *
 * @param holdings what it holds; its time and revision have no meaning
 * @param prices of assets beside those it holds, in USD
 * @param market how its market behaves
 */
public record PaperSetup(CustodianHoldings holdings, Map<AssetSymbol, Usd> prices, PaperMarket market) {
    public PaperSetup {
        prices = Map.copyOf(prices);
    }

    /** The same setup with canonical symbols. Of two spellings of one asset, one price counts. */
    public PaperSetup canonical(CustodianHoldings spelled, UnaryOperator<AssetSymbol> canonical) {
        Map<AssetSymbol, Usd> renamed = new HashMap<>();
        prices.forEach((symbol, price) -> renamed.put(canonical.apply(symbol), price));
        Set<AssetSymbol> rejected = market.rejects().stream().map(canonical).collect(Collectors.toSet());
        return new PaperSetup(spelled, renamed, new PaperMarket(market.isOpen(), market.fillShare(), rejected));
    }
}
