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
 * @param id stays the same when the key is rotated
 * @param userId the user it acts for
 * @param name a name chosen by the user
 * @param type live or test
 * @param scopes what the key may be used for
 * @param policy the caps of the key
 * @param credentialHash SHA-256 of the current secret, 64 hex characters
 * @param last4 the last four characters of the current secret
 * @param createdAt when it was minted
 * @param expiresAt when it expires; null for never
 * @param rotatedAt when its secret was last replaced; null for never
 * @param revokedAt when the user revoked it; null while it is not revoked
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
    /**
     * The number of a user's keys that are loaded with the account. Of further keys, those that ended first are left
     * out.
     */
    public static final int MAX_KEPT = 500;

    /** Orders keys by when they end, latest first; keys that never end come before all others. */
    public static final Comparator<AgentKey> LAST_TO_END_FIRST = Comparator.comparing(
                    AgentKey::endsAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
            .thenComparing(AgentKey::createdAt)
            .thenComparing(key -> key.id().toString())
            .reversed();

    public AgentKey {
        scopes = Set.copyOf(scopes);
    }

    /** Whether the key works at the given time: neither revoked nor expired. */
    public boolean isActive(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }

    /** At most {@link #MAX_KEPT} of the given keys, without those that ended first. */
    public static Map<AgentKeyId, AgentKey> kept(Map<AgentKeyId, AgentKey> keys) {
        return keys.size() <= MAX_KEPT
                ? keys
                : keys.values().stream()
                        .sorted(LAST_TO_END_FIRST)
                        .limit(MAX_KEPT)
                        .collect(Collectors.toMap(AgentKey::id, key -> key));
    }

    /** When the key was revoked or expires; null for never. */
    private static @Nullable Instant endsAt(AgentKey key) {
        return key.revokedAt == null ? key.expiresAt : key.revokedAt;
    }

    /** Whether a presented key is this one, has the same secret and works at the given time. */
    public boolean admits(AgentKey presented, Instant now) {
        return id.equals(presented.id) && credentialHash.equals(presented.credentialHash) && isActive(now);
    }

    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /** The same key with a new secret; the old secret stops working. */
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
