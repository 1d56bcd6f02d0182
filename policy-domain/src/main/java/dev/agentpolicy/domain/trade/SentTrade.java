package dev.agentpolicy.domain.trade;

/**
 * A trade as an agent sent it. Its asset must be resolved before it is decided.
 *
 * @param trade with the symbol and sleeve of the call
 * @param symbol the symbol as the agent wrote it
 */
public record SentTrade(Trade trade, String symbol) {

    /** A trade whose symbol was written in upper case. */
    public static SentTrade of(Trade trade) {
        return new SentTrade(trade, trade.asset().value());
    }
}
