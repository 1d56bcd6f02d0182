package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import org.jspecify.annotations.Nullable;

/**
 * A trade as the policy reads it (specification, TradePayload).
 *
 * @param action buy or sell
 * @param asset its ticker
 * @param assetType its sleeve
 * @param amount notional in USD, from 0
 * @param expectedSlippage in percent, null when the agent did not say
 */
public record Trade(
        Action action,
        AssetSymbol asset,
        AssetType assetType,
        Usd amount,
        @Nullable Percent expectedSlippage) {

    /** The same trade of an asset by another spelling. */
    public Trade of(AssetSymbol symbol) {
        return symbol.equals(asset) ? this : new Trade(action, symbol, assetType, amount, expectedSlippage);
    }

    public boolean isBuy() {
        return action == Action.BUY;
    }

    /** Expected slippage as a fraction of the amount, 0 when the agent did not say. */
    public Fraction slippage() {
        return expectedSlippage == null ? Fraction.ZERO : expectedSlippage.toFraction();
    }

    /** What is left of the amount when the slippage has been lost on the way. */
    public Usd arriving() {
        return arriving(slippage());
    }

    /** The same for who has worked out the slippage already. */
    public Usd arriving(Fraction slippage) {
        return expectedSlippage == null ? amount : amount.minus(amount.times(slippage));
    }
}
