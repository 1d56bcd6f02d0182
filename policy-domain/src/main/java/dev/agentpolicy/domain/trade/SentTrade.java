package dev.agentpolicy.domain.trade;

/**
 * A trade as an agent sent it: its asset is not yet resolved, so nothing may be decided about it.
 *
 * @param trade with the symbol and the sleeve that the call names
 * @param symbol the symbol as it was written
 */
public record SentTrade(Trade trade, String symbol) {

    /** A trade whose symbol was written in upper case. */
    public static SentTrade of(Trade trade) {
        return new SentTrade(trade, trade.asset().value());
    }
}
