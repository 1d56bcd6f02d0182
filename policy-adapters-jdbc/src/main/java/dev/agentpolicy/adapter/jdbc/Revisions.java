package dev.agentpolicy.adapter.jdbc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.Map;

/** Remembers what never changes once committed, by user and revision; so nothing in here is stale while commits last. */
record Revisions(
        Cache<Of, IpsVersion> ips, Cache<Of, Portfolio> portfolios, Cache<Of, Map<AgentKeyId, AgentKey>> keys) {
    private static final int MAX_SIZE = 20_000;

    static Revisions empty() {
        return new Revisions(cache(), cache(), cache());
    }

    /** When the database may not be the one that it was. */
    void forget() {
        ips.invalidateAll();
        portfolios.invalidateAll();
        keys.invalidateAll();
    }

    private static <T> Cache<Of, T> cache() {
        return Caffeine.newBuilder().maximumSize(MAX_SIZE).build();
    }

    /** Which revision of whom. */
    record Of(UserId user, long revision) {}
}
