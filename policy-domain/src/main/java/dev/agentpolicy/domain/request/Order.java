package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What a custodian is asked to do, once.
 *
 * @param clientOrderId names the order; asking again with the same name answers what was done the first time
 * @param userId whose holdings
 * @param custodian its id
 * @param action buy or sell
 * @param symbol which asset
 * @param assetType its sleeve
 * @param amount notional in USD; null when a quantity is given
 * @param quantity units; null when an amount is given
 * @param price of one unit that was agreed elsewhere, null for the custodian's own
 */
public record Order(
        String clientOrderId,
        UserId userId,
        String custodian,
        Action action,
        AssetSymbol symbol,
        AssetType assetType,
        @Nullable Usd amount,
        @Nullable BigDecimal quantity,
        @Nullable Usd price) {

    public Order {
        if ((amount == null) == (quantity == null)) {
            throw new IllegalArgumentException("An order has an amount or a quantity.");
        }
    }

    /** The order that executes an accepted request; a new acceptance is a new order. */
    public static Order of(Proposal proposal, Acceptance acceptance) {
        Trade trade = proposal.trade();
        return new Order(
                "request-" + proposal.id() + "-" + acceptance.attempt(),
                proposal.userId(),
                acceptance.custodian(),
                trade.action(),
                trade.asset(),
                trade.assetType(),
                trade.amount(),
                null,
                null);
    }
}
