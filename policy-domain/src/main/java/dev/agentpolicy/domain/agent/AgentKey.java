package dev.agentpolicy.domain.agent;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A key by which an agent acts for one user (specification, Authentication).
 *
 * @param id stays the same through rotations
 * @param userId whom it acts for
 * @param name for people
 * @param type live or test
 * @param scopes what it may be used for
 * @param policy its caps
 * @param credentialHash SHA-256 of the present secret, 64 hex characters
 * @param last4 last characters of the present secret
 * @param createdAt when it was minted
 * @param expiresAt when it ends by itself, null for never
 * @param rotatedAt when its secret was last replaced, null for never
 * @param revokedAt when the user ended it, null while it lives
 */
public record AgentKey(
        AgentKeyId id,
        UserId userId,
        String name,
        KeyType type,
        Set<Scope> scopes,
        KeyPolicy policy,
        String credentialHash,
        String last4,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant rotatedAt,
        @Nullable Instant revokedAt) {
    /** Keys of a user that are kept at hand; of more, those that ended first are only in the log. */
    public static final int MAX_KEPT = 500;

    /** Those that work before those that do not, and these from the one that ended last to the one that ended first. */
    public static final Comparator<AgentKey> LAST_TO_END_FIRST = Comparator.comparing(
                    AgentKey::endsAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
            .thenComparing(AgentKey::createdAt)
            .thenComparing(key -> key.id().toString())
            .reversed();

    public AgentKey {
        scopes = Set.copyOf(scopes);
    }

    /** Whether the key works at a moment: neither revoked nor expired. */
    public boolean isActive(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }

    /** As many of a user's keys as are kept at hand, without those that ended first. */
    public static Map<AgentKeyId, AgentKey> kept(Map<AgentKeyId, AgentKey> keys) {
        return keys.size() <= MAX_KEPT
                ? keys
                : keys.values().stream()
                        .sorted(LAST_TO_END_FIRST)
                        .limit(MAX_KEPT)
                        .collect(Collectors.toMap(AgentKey::id, key -> key));
    }

    /** When it was revoked or else expires; null for never. */
    private static @Nullable Instant endsAt(AgentKey key) {
        return key.revokedAt == null ? key.expiresAt : key.revokedAt;
    }

    /** Whether it is the key that was presented, with the same secret, and works at a moment. */
    public boolean admits(AgentKey presented, Instant now) {
        return id.equals(presented.id) && credentialHash.equals(presented.credentialHash) && isActive(now);
    }

    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /** The same key with a new secret; the old one stops working. */
    public AgentKey rotated(Credential credential, Instant now) {
        return new AgentKey(
                id,
                userId,
                name,
                type,
                scopes,
                policy,
                credential.hash(),
                credential.last4(),
                createdAt,
                expiresAt,
                now,
                revokedAt);
    }

    public AgentKey revoked(Instant now) {
        return new AgentKey(
                id, userId, name, type, scopes, policy, credentialHash, last4, createdAt, expiresAt, rotatedAt, now);
    }
}
