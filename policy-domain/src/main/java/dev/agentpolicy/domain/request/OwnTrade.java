package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;

/**
 * A trade that a user makes at a custodian without an agent (docs/reference/app-api.md).
 *
 * @param action buy or sell
 * @param symbol the asset
 * @param assetType the sleeve of the asset
 * @param quantity units, above 0
 * @param price price of one unit in USD, above 0
 */
public record OwnTrade(Action action, AssetSymbol symbol, AssetType assetType, BigDecimal quantity, Usd price) {

    /** Reads what a user sent, or lists everything that is wrong with it. Decimals may be numbers or text. */
    public static Reading<OwnTrade> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS_OR_TEXT);
        Action action = fields.word("action", Action.class);
        AssetSymbol symbol = fields.meaning("symbol", AssetSymbol.EXPECTED, AssetSymbol::of);
        AssetType type = fields.word("assetType", AssetType.class);
        BigDecimal quantity = fields.decimal(
                "quantity", BigDecimal.ZERO, HoldingsDocument.MAX_QUANTITY, HoldingsDocument.QUANTITY_DECIMALS);
        BigDecimal price =
                fields.decimal("price", BigDecimal.ZERO, HoldingsDocument.MAX_USD, HoldingsDocument.USD_DECIMALS);
        fields.require("action", "symbol", "assetType", "quantity", "price");
        if (quantity != null && quantity.signum() == 0) {
            fields.problem("quantity", "must be above 0");
        }
        if (price != null && price.signum() == 0) {
            fields.problem("price", "must be above 0");
        }
        return fields.finish(() -> new OwnTrade(
                Fields.present(action),
                Fields.present(symbol),
                Fields.present(type),
                Fields.present(quantity),
                new Usd(Fields.present(price))));
    }

    /** The same trade with another symbol for its asset. */
    public OwnTrade of(AssetSymbol spelling) {
        return new OwnTrade(action, spelling, assetType, quantity, price);
    }

    /** The order that executes this trade at a paper custodian. */
    public Order order(String clientOrderId, UserId user, String custodian) {
        return new Order(
                clientOrderId,
                user,
                custodian,
                CustodianKind.PAPER,
                action,
                symbol,
                assetType,
                null,
                quantity,
                price,
                null);
    }
}
