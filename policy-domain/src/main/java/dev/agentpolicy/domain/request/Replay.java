package dev.agentpolicy.domain.request;

import java.time.Instant;

/**
 * The record of a proposal that was made under an {@link IdempotencyKey}.
 *
 * @param key the idempotency key
 * @param requestId the request that the proposal created
 * @param askedHash SHA-256 of the body, 64 hex characters; see {@link ProposalBody#hash}
 * @param createdAt when the request was created; the record ends {@link IdempotencyKey#WINDOW} later
 */
public record Replay(IdempotencyKey key, long requestId, String askedHash, Instant createdAt) {

    public boolean isOver(Instant now) {
        return !now.isBefore(createdAt.plus(IdempotencyKey.WINDOW));
    }
}
