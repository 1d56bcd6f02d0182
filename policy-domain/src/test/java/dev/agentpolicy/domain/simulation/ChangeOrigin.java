package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;

/**
 * The call that led to a change, as the invariants need it.
 *
 * @param key the agent key; null for changes by users and sweeps
 * @param proposed the proposed trade; null when it is no proposal
 * @param once the idempotency key; null for none
 */
record ChangeOrigin(AgentKey key, Trade proposed, IdempotencyKey once) {
    /**
     * A trade and the way it is sent.
     *
     * @param trade with the canonical symbol, and the sleeve that the agent declares
     * @param sent the trade with any spelling of the symbol
     */
    record Meant(Trade trade, SentTrade sent) {}

    static final ChangeOrigin NOTHING = new ChangeOrigin(null, null, null);
}
