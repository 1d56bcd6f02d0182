package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A signed row of a user's chain.
 *
 * @param userId the owner of the chain
 * @param seq its number in the chain: 1, 2, 3, ...
 * @param eventId unique
 * @param kind the kind of event
 * @param createdAt in microseconds; never before the previous row
 * @param payload the canonical text, null when erased
 * @param payloadHash 64 lower-case hex characters
 * @param prevHash hash of the row before; 64 zeros for the first
 * @param signingKeyId thumbprint of the key that signed, 43 characters
 * @param hash 64 lower-case hex characters
 * @param signature base64url, 86 characters
 */
public record PolicyEvent(
        UserId userId,
        long seq,
        UUID eventId,
        EventKind kind,
        Instant createdAt,
        @Nullable String payload,
        String payloadHash,
        String prevHash,
        String signingKeyId,
        String hash,
        String signature) {

    /** The row without its payload. */
    public PolicyEvent withoutPayload() {
        return new PolicyEvent(
                userId, seq, eventId, kind, createdAt, null, payloadHash, prevHash, signingKeyId, hash, signature);
    }
}
