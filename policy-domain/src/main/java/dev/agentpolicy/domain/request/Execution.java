package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * The fill of an order, as reported by the custodian.
 *
 * @param custodian id of the custodian
 * @param externalId the custodian's own id of the fill
 * @param quantity units bought or sold
 * @param price price of one unit in USD
 * @param amountUsd cash paid or received
 * @param executedAt time of the fill, by the custodian's clock
 */
public record Execution(
        String custodian, String externalId, BigDecimal quantity, Usd price, Usd amountUsd, Instant executedAt) {

    public Execution {
        quantity = Exact.normalised(quantity);
    }

    /** The units bought or sold, as a position at their price. */
    public Position moved(AssetSymbol symbol, AssetType assetType) {
        return new Position(symbol, assetType, quantity, price);
    }
}
