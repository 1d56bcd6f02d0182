package dev.agentpolicy.adapter.jdbc.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.adapter.jdbc.cache.RevisionCache.HeapWeight;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.Duration;
import java.util.Optional;

/** Caches keys by the hash of their credential. Another node may have changed a key since. */
public final class KeyCache {
    private static final int PERCENT = 4;
    /** The hash of a credential and the entries of both maps. */
    private static final int BYTES_OF_AN_ENTRY = 450;

    private static final Duration MAX_AGE = Duration.ofMinutes(1);

    private final Cache<String, AgentKey> byCredential = Caffeine.newBuilder()
            .maximumWeight(HeapWeight.share(PERCENT))
            .weigher((String credential, AgentKey key) -> BYTES_OF_AN_ENTRY + HeapWeight.of(key))
            .expireAfterWrite(MAX_AGE)
            .build();
    private final Cache<AgentKeyId, String> credentials = Caffeine.newBuilder()
            .maximumWeight(HeapWeight.share(1))
            .weigher((AgentKeyId key, String credential) -> BYTES_OF_AN_ENTRY)
            .build();

    /** The users of credentials, in a cluster. A credential keeps its user. */
    private final Cache<String, UserId> owners = Caffeine.newBuilder()
            .maximumWeight(HeapWeight.share(1))
            .weigher((String credential, UserId user) -> BYTES_OF_AN_ENTRY)
            .build();

    public Optional<AgentKey> find(String credentialHash) {
        return Optional.ofNullable(byCredential.getIfPresent(credentialHash));
    }

    /** Caches a key as it was committed, and forgets the credential it had before. */
    public void replace(AgentKey key) {
        String before = credentials.getIfPresent(key.id());
        if (before != null && !before.equals(key.credentialHash())) {
            forget(before);
        }
        credentials.put(key.id(), key.credentialHash());
        byCredential.put(key.credentialHash(), key);
    }

    /** Caches a key as an access token presents it. */
    public void replace(String token, AgentKey key) {
        byCredential.put(token, key);
    }

    public Optional<UserId> owner(String credentialHash) {
        return Optional.ofNullable(owners.getIfPresent(credentialHash));
    }

    public void route(String credentialHash, UserId user) {
        owners.put(credentialHash, user);
    }

    public void forget() {
        byCredential.invalidateAll();
        credentials.invalidateAll();
        owners.invalidateAll();
    }

    public void forget(String credentialHash) {
        byCredential.invalidate(credentialHash);
    }
}
