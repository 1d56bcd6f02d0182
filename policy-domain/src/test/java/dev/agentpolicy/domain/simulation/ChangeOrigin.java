package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;

/**
 * What an agent asks for, as far as a watch must know it.
 *
 * @param key by which it asks, null for what users and sweeps do
 * @param proposed the trade it proposes, null when it only asks
 * @param once the name of its intention, null when it has none
 */
record ChangeOrigin(AgentKey key, Trade proposed, IdempotencyKey once) {
    /**
     * A trade, and how an agent says it.
     *
     * @param trade with the one symbol of the asset, and the sleeve that is said
     * @param sent by any spelling
     */
    record Meant(Trade trade, SentTrade sent) {}

    static final ChangeOrigin NOTHING = new ChangeOrigin(null, null, null);
}
