package dev.agentpolicy.domain.request;

import java.time.Instant;

/**
 * What a proposal with an {@link IdempotencyKey} created.
 *
 * @param key which intention
 * @param requestId the request it created
 * @param askedHash SHA-256 of what was asked, 64 hex characters
 * @param createdAt when; forgotten after {@link IdempotencyKey#WINDOW}
 */
public record Replay(IdempotencyKey key, long requestId, String askedHash, Instant createdAt) {

    public boolean isOver(Instant now) {
        return !now.isBefore(createdAt.plus(IdempotencyKey.WINDOW));
    }
}
