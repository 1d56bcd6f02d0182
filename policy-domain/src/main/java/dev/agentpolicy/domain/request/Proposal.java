package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an agent proposed and the policy allowed; never changes afterwards.
 *
 * @param id unique across users; negative in the sandbox
 * @param userId whose money
 * @param agentKeyId which key proposed
 * @param agentName the key's name at that time
 * @param trade what is to be done
 * @param asset what its asset was taken for, null of a proposal that was stored before this was
 * @param rationale the agent's note to the user, null when it gave none
 * @param decision the verdict that let it through
 * @param createdAt when it was proposed
 * @param expiresAt when it is rejected if nobody resolved it
 * @param receipt of the decision in the log; null for a proposal without an idempotency key, and for one that was stored
 *     before receipts were
 */
public record Proposal(
        long id,
        UserId userId,
        AgentKeyId agentKeyId,
        String agentName,
        Trade trade,
        @Nullable ResolvedAsset asset,
        @Nullable String rationale,
        Decision decision,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Receipt receipt) {
    public static final int MAX_RATIONALE = 500;

    /** The trade as it was sent, to be resolved again by what the account knows then. */
    public SentTrade sent() {
        return asset == null ? SentTrade.of(trade) : new SentTrade(trade, asset.sent());
    }

    /** The same, now that the log tells of it. */
    Proposal withReceipt(Receipt placed) {
        return new Proposal(
                id, userId, agentKeyId, agentName, trade, asset, rationale, decision, createdAt, expiresAt, placed);
    }
}
