package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

    /** Problems of prices that are given for two spellings of one asset. */
    public List<Problem> spelledTwice(UnaryOperator<AssetSymbol> canonical) {
        Map<AssetSymbol, AssetSymbol> seen = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (AssetSymbol sent : new TreeSet<>(prices.keySet())) {
            AssetSymbol before = seen.putIfAbsent(canonical.apply(sent), sent);
            if (before != null) {
                problems.add(new Problem(
                        "prices",
                        "prices must not list an asset twice: " + before + " and " + sent
                                + " are spellings of one asset."));
            }
        }
        return problems;
    }

    /** The same setup with canonical symbols. */
    public PaperSetup canonical(CustodianHoldings spelled, UnaryOperator<AssetSymbol> canonical) {
        Map<AssetSymbol, Usd> renamed = new HashMap<>();
        prices.forEach((symbol, price) -> renamed.put(canonical.apply(symbol), price));
        Set<AssetSymbol> rejected = market.rejects().stream().map(canonical).collect(Collectors.toSet());
        return new PaperSetup(spelled, renamed, new PaperMarket(market.isOpen(), market.fillShare(), rejected));
    }
}
