package dev.agentpolicy.domain.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
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
 * @param last4 the last four characters of the current secret; empty for a connection, which has none
 * @param createdAt when it was minted
 * @param expiresAt when it expires; null for never
 * @param rotatedAt when its secret was last replaced; null for never
 * @param revokedAt when the user revoked it; null while it is not revoked
 * @param networks the addresses it may be used from; empty for any
 * @param previous the secret before the current one, if it was left to work for a while; it may have ended
 * @param client the program that a user connected by consent (docs/reference/connections.md); null for a key with a secret.
 *     The credential hash of a connection is the random id of its consent, and its access tokens are its credentials
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
        @Nullable Instant revokedAt,
        List<NetworkRange> networks,
        @Nullable EndingSecret previous,
        @Nullable ConnectedClient client) {
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
        networks = List.copyOf(networks);
    }

    /** A key with a secret. */
    public AgentKey(
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
            @Nullable Instant revokedAt,
            List<NetworkRange> networks,
            @Nullable EndingSecret previous) {
        this(
                id,
                userId,
                name,
                type,
                scopes,
                policy,
                credentialHash,
                last4,
                createdAt,
                expiresAt,
                rotatedAt,
                revokedAt,
                networks,
                previous,
                null);
    }

    /**
     * The program that acts by a connection.
     *
     * @param id its client id: the address of its metadata document, or what it got when it registered
     * @param host where it is: the host of its document, else of the address that it was sent back to
     */
    public record ConnectedClient(String id, String host) {}

    /** The key of a new connection. */
    public static AgentKey connected(
            AgentKeyId id, UserId user, KeyRequest request, String consent, ConnectedClient client, Instant now) {
        return new AgentKey(
                id,
                user,
                request.name(),
                request.type(),
                request.scopes(),
                request.policy(),
                consent,
                "",
                now,
                request.expiresAt(now),
                null,
                null,
                List.of(),
                null,
                client);
    }

    /** The same connection after another consent to the same client; what belongs to the earlier one stops working. */
    public AgentKey reconnected(KeyRequest request, String consent, ConnectedClient again, Instant now) {
        return new AgentKey(
                id,
                userId,
                request.name(),
                request.type(),
                request.scopes(),
                request.policy(),
                consent,
                "",
                createdAt,
                request.expiresAt(now),
                now,
                null,
                List.of(),
                null,
                again);
    }

    /** The same key as it is presented by an access token, which ends at a time of its own. */
    public AgentKey presentedUntil(Instant tokenEndsAt) {
        return new AgentKey(
                id,
                userId,
                name,
                type,
                scopes,
                policy,
                credentialHash,
                last4,
                createdAt,
                expiresAt != null && expiresAt.isBefore(tokenEndsAt) ? expiresAt : tokenEndsAt,
                rotatedAt,
                revokedAt,
                networks,
                previous,
                client);
    }

    /**
     * A secret that was replaced and works for a while longer.
     *
     * @param credentialHash SHA-256 of the secret, 64 hex characters
     * @param endsAt when it stops working
     */
    public record EndingSecret(String credentialHash, Instant endsAt) {}

    /** Whether the key works at the given time: neither revoked nor expired, by a secret that has not ended. */
    public boolean isActive(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt)) && accepts(credentialHash, now);
    }

    /** The key as it is presented by one of its secrets, which becomes its credential. */
    public AgentKey presentedBy(String secretHash) {
        return secretHash.equals(credentialHash)
                ? this
                : copy(name, policy, secretHash, last4, rotatedAt, revokedAt, networks, previous);
    }

    /** Whether one of the secrets of the key has this hash, whether it has ended or not. */
    public boolean hasSecret(String secretHash) {
        return secretHash.equals(credentialHash)
                || previous != null && previous.credentialHash().equals(secretHash);
    }

    /** Whether a secret of the key has this hash and has not ended. */
    private boolean accepts(String secretHash, Instant now) {
        return previous != null && previous.credentialHash().equals(secretHash)
                ? now.isBefore(previous.endsAt())
                : secretHash.equals(credentialHash);
    }

    /** Whether the key may be used from an address, in any form that proxies write. */
    public boolean worksFrom(String address) {
        return networks.isEmpty() || networks.stream().anyMatch(range -> range.contains(address));
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

    /**
     * Whether a presented key is this one, by a secret that works at the given time.
     *
     * @param address where it was presented
     */
    public boolean admits(AgentKey presented, String address, Instant now) {
        return id.equals(presented.id) && isActive(now) && accepts(presented.credentialHash, now) && worksFrom(address);
    }

    public boolean has(Scope scope) {
        return scopes.contains(scope);
    }

    /**
     * The same key with a new secret.
     *
     * @param overlap how long the present secret works beside the new one; that before it stops at once
     */
    public AgentKey rotated(Credential credential, Duration overlap, Instant now) {
        EndingSecret ending = overlap.isZero() ? null : new EndingSecret(credentialHash, now.plus(overlap));
        return copy(name, policy, credential.hash(), credential.last4(), now, revokedAt, networks, ending);
    }

    /** The same key with a new secret; the old secret stops working. */
    public AgentKey rotated(Credential credential, Instant now) {
        return rotated(credential, Duration.ZERO, now);
    }

    /** The same key with another name, policy and addresses. */
    public AgentKey with(String newName, KeyPolicy newPolicy, List<NetworkRange> newNetworks) {
        return copy(newName, newPolicy, credentialHash, last4, rotatedAt, revokedAt, newNetworks, previous);
    }

    /**
     * Whether the key may do something that it could not do before: its caps, assets or networks are wider, or it is not paused
     * any more.
     */
    public boolean permitsMoreThan(AgentKey before) {
        boolean hasNewNetworks = !before.networks.isEmpty()
                && (networks.isEmpty()
                        || !networks.stream()
                                .allMatch(range -> before.networks.stream().anyMatch(it -> it.contains(range))));
        return hasNewNetworks || policy.permitsMoreThan(before.policy);
    }

    public AgentKey revoked(Instant now) {
        return copy(name, policy, credentialHash, last4, rotatedAt, now, networks, null);
    }

    private AgentKey copy(
            String newName,
            KeyPolicy newPolicy,
            String hash,
            String newLast4,
            @Nullable Instant rotated,
            @Nullable Instant revoked,
            List<NetworkRange> newNetworks,
            @Nullable EndingSecret ending) {
        return new AgentKey(
                id,
                userId,
                newName,
                type,
                scopes,
                newPolicy,
                hash,
                newLast4,
                createdAt,
                expiresAt,
                rotated,
                revoked,
                newNetworks,
                ending,
                client);
    }
}
