package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One row of a user's chain, signed.
 *
 * @param userId whose chain
 * @param seq place in the chain: 1, 2, 3, ...
 * @param eventId unique; also finds the row again after a commit whose answer was lost
 * @param kind what happened
 * @param createdAt microseconds; never before the row it follows
 * @param payload canonical text of the payload, null when erased
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
        String signature) {}
