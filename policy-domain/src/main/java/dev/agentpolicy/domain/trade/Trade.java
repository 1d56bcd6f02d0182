package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import org.jspecify.annotations.Nullable;

/**
 * A trade that an agent wants to make (specification, TradePayload).
 *
 * @param action buy or sell
 * @param asset its ticker
 * @param assetType its sleeve
 * @param amount notional in USD, from 0
 * @param expectedSlippage in percent, null when not given
 */
public record Trade(
        Action action,
        AssetSymbol asset,
        AssetType assetType,
        Usd amount,
        @Nullable Percent expectedSlippage) {

    /**
     * A purchase of an asset of the built-in directory, without expected slippage.
     *
     * @throws IllegalArgumentException when the directory does not know the asset; its sleeve must be given then
     */
    public static Trade buy(String asset, Usd amount) {
        return of(Action.BUY, asset, amount);
    }

    /**
     * A sale of an asset of the built-in directory, without expected slippage.
     *
     * @throws IllegalArgumentException when the directory does not know the asset; its sleeve must be given then
     */
    public static Trade sell(String asset, Usd amount) {
        return of(Action.SELL, asset, amount);
    }

    private static Trade of(Action action, String asset, Usd amount) {
        AssetSymbol symbol = new AssetSymbol(asset);
        AssetDirectory.Entry entry = AssetDirectory.builtIn().find(symbol);
        if (entry == null) {
            throw new IllegalArgumentException("The built-in directory has no asset " + symbol + ".");
        }
        return new Trade(action, symbol, entry.assetType(), amount, null);
    }

    /** This trade under another spelling of its asset. */
    public Trade of(AssetSymbol symbol) {
        return symbol.equals(asset) ? this : new Trade(action, symbol, assetType, amount, expectedSlippage);
    }

    /** The trade in words, {@code buy SPY for $2,000}. */
    public String inWords() {
        return action.wireName() + " " + asset + " for " + amount.inDollars();
    }

    public boolean isBuy() {
        return action == Action.BUY;
    }

    /** The expected slippage as a fraction of the amount; 0 when none was given. */
    public Fraction slippage() {
        return expectedSlippage == null ? Fraction.ZERO : expectedSlippage.toFraction();
    }

    /** The amount less the expected slippage. */
    public Usd arriving() {
        return arriving(slippage());
    }

    /** The amount less a slippage that the caller has computed with {@link #slippage()}. */
    public Usd arriving(Fraction slippage) {
        return expectedSlippage == null ? amount : amount.minus(amount.times(slippage));
    }
}
