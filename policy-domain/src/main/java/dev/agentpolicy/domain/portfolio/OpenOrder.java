package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
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

    static final Schema<OpenOrder> STORED = Schema.of(
            row -> new OpenOrder(row.next(), row.next(), row.next(), row.next(), row.next()),
            required("clientOrderId", Codec.TEXT, OpenOrder::clientOrderId),
            required("action", Codec.word(Action.class), OpenOrder::action),
            required("symbol", AssetSymbol.CODEC, OpenOrder::symbol),
            required("assetType", Codec.word(AssetType.class), OpenOrder::assetType),
            required("rest", Usd.CODEC, OpenOrder::rest));

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
