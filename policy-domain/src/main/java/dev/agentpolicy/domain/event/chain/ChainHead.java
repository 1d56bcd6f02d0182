package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;

/**
 * The end of a user's chain.
 *
 * @param userId the owner of the chain
 * @param seq of the last row, 0 for an empty chain
 * @param hash of the last row, 64 zeros for an empty chain
 * @param createdAt of the last row
 */
public record ChainHead(UserId userId, long seq, String hash, Instant createdAt) {
    public static final String GENESIS_HASH = "0".repeat(64);

    public static ChainHead genesis(UserId userId) {
        return new ChainHead(userId, 0, GENESIS_HASH, Instant.EPOCH);
    }

    public static ChainHead after(PolicyEvent event) {
        return new ChainHead(event.userId(), event.seq(), event.hash(), event.createdAt());
    }
}
