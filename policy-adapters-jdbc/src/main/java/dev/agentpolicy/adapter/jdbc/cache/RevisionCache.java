package dev.agentpolicy.adapter.jdbc.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.Collection;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Caches revisions of IPS, portfolios and key sets. A committed revision never changes, so no entry is stale. The newest
 * revision of each user is kept. The size is limited to a share of the heap.
 */
public record RevisionCache(
        Newest<IpsVersion> ips, Newest<Portfolio> portfolios, Newest<Map<AgentKeyId, AgentKey>> keys) {
    private static final int PERCENT_FOR_STATEMENTS = 4;
    private static final int PERCENT_FOR_PORTFOLIOS = 8;
    private static final int PERCENT_FOR_KEYS = 8;

    public static RevisionCache empty() {
        return new RevisionCache(
                new Newest<>(HeapWeight.share(PERCENT_FOR_STATEMENTS), HeapWeight::of),
                new Newest<>(HeapWeight.share(PERCENT_FOR_PORTFOLIOS), HeapWeight::of),
                new Newest<>(HeapWeight.share(PERCENT_FOR_KEYS), HeapWeight::of));
    }

    /** Empties the caches, for when the database may be another one than before. */
    public void forget() {
        ips.forget();
        portfolios.forget();
        keys.forget();
    }

    /** Caches the newest revision of one kind of value for each user. */
    public static final class Newest<T> {
        /** The size of an entry without its value. */
        private static final int BYTES_OF_AN_ENTRY = 250;

        private final Cache<UserId, Revision<T>> newest;

        /**
         * An empty cache.
         *
         * @param maxBytes the size of all entries together
         * @param bytes the size of one value
         */
        Newest(long maxBytes, ToIntFunction<T> bytes) {
            newest = Caffeine.newBuilder()
                    .maximumWeight(maxBytes)
                    .weigher((UserId user, Revision<T> known) -> BYTES_OF_AN_ENTRY + bytes.applyAsInt(known.value))
                    .executor(Runnable::run)
                    .build();
        }

        /** The value of a revision, or null if that revision is not cached. */
        @Nullable
        public T find(UserId user, long revision) {
            Revision<T> known = newest.getIfPresent(user);
            return known == null || known.number != revision ? null : known.value;
        }

        /** Caches a committed revision unless a newer one is cached; returns the given value. */
        public T keep(UserId user, long revision, T value) {
            Revision<T> offered = new Revision<>(revision, value);
            newest.asMap().merge(user, offered, (known, mine) -> known.number > mine.number ? known : mine);
            return value;
        }

        long bytes() {
            newest.cleanUp();
            return newest.policy().eviction().orElseThrow().weightedSize().orElse(0);
        }

        private void forget() {
            newest.invalidateAll();
        }

        private record Revision<T>(long number, T value) {}
    }

    /**
     * Estimates, rounded up, how many bytes of heap cached values take, strings included. {@code HeapWeightTest} compares the
     * figures with those of a JVM with compressed references.
     */
    public static final class HeapWeight {
        private static final int STRING = 56;
        /** A symbol with a text of up to 32 characters. */
        private static final int SYMBOL = 112;
        /** A position, with its symbol, quantity and price. */
        private static final int POSITION = 480;

        private static final int CUSTODIAN = 600;
        private static final int PORTFOLIO = 400;
        /** A sync that a peak waits for, or two earlier prices of a position. */
        private static final int SYNC = 400;

        /** The high of a day. */
        private static final int HIGH = 150;

        private static final int STATEMENT = 2_000;
        private static final int RULE = 700;
        private static final int KEY = 1_400;

        private HeapWeight() {}

        /** A share of the maximum heap, in bytes. */
        public static long share(int percent) {
            return Runtime.getRuntime().maxMemory() / 100 * percent;
        }

        static int of(Portfolio portfolio) {
            int bytes = PORTFOLIO
                    + HIGH * portfolio.highs().days().size()
                    + SYNC
                            * (portfolio.history().totals().size()
                                    + portfolio.history().earlier().size());
            for (CustodianHoldings holdings : portfolio.custodians()) {
                bytes += CUSTODIAN
                        + of(holdings.id())
                        + of(holdings.name())
                        + POSITION * holdings.positions().size();
            }
            return bytes;
        }

        static int of(IpsVersion version) {
            Ips ips = version.ips();
            int bytes = STATEMENT + 2 * SYMBOL * ips.assetAuthority().assets().size();
            for (StandingRule rule : ips.standingRules()) {
                bytes += RULE
                        + of(rule.id())
                        + of(rule.reason())
                        + of(rule.when().symbols());
            }
            for (Limit limit : ips.limits()) {
                bytes += RULE
                        + of(limit.id())
                        + of(limit.reason())
                        + of(limit.scope().symbols());
            }
            return bytes;
        }

        static int of(Map<AgentKeyId, AgentKey> keys) {
            int bytes = 0;
            for (AgentKey key : keys.values()) {
                bytes += of(key);
            }
            return bytes;
        }

        static int of(AgentKey key) {
            return KEY + of(key.name()) + of(key.policy().allowedAssets());
        }

        private static int of(@Nullable String text) {
            return text == null ? 0 : STRING + 2 * text.length();
        }

        /** A set of symbols. */
        private static int of(@Nullable Collection<?> symbols) {
            return symbols == null ? 0 : SYMBOL * symbols.size();
        }
    }
}
