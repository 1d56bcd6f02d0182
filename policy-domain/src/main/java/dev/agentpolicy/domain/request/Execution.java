package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * What a custodian did with an order.
 *
 * @param custodian its id
 * @param externalId the custodian's own name for the fill
 * @param quantity units moved
 * @param price of one unit in USD
 * @param amountUsd what moved in cash
 * @param executedAt when, by the custodian
 */
public record Execution(
        String custodian, String externalId, BigDecimal quantity, Usd price, Usd amountUsd, Instant executedAt) {

    public Execution {
        quantity = Exact.normalised(quantity);
    }

    /** The units that moved, of an asset, at their price. */
    public Position moved(AssetSymbol symbol, AssetType assetType) {
        return new Position(symbol, assetType, quantity, price);
    }
}
