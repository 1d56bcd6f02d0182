package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;

/**
 * What is not yet filled of an order. It counts as filled wherever a portfolio is looked at.
 *
 * @param clientOrderId the id it was placed with
 * @param action buy or sell
 * @param symbol the asset
 * @param assetType its sleeve
 * @param rest in USD, from 0
 */
public record OpenOrder(String clientOrderId, Action action, AssetSymbol symbol, AssetType assetType, Usd rest) {

    /** The same order with another symbol for its asset. */
    OpenOrder of(AssetSymbol spelling) {
        return spelling.equals(symbol) ? this : new OpenOrder(clientOrderId, action, spelling, assetType, rest);
    }

    boolean isOf(AssetSymbol otherSymbol, AssetType otherType) {
        return symbol.equals(otherSymbol) && assetType == otherType;
    }

    /** What filling the rest adds to the position: negative for a sell. */
    Usd added() {
        return action == Action.BUY ? rest : Usd.ZERO.minus(rest);
    }
}
