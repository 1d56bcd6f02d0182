package dev.agentpolicy.adapter.jdbc.cache;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Estimates, rounded up, how many bytes of heap cached values take, strings included. {@code HeapWeightTest} compares the
 * figures with those of a JVM with compressed references.
 */
public final class HeapWeight {
    private static final int STRING = 56;
    /** A symbol with a text of up to 32 characters. */
    private static final int SYMBOL = 112;
    /** A position, with its symbol, quantity and price. */
    private static final int POSITION = 480;

    private static final int CUSTODIAN = 600;
    private static final int PORTFOLIO = 400;
    /** A sync that a peak waits for, or two earlier prices of a position. */
    private static final int SYNC = 400;

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
            bytes += RULE + of(rule.id()) + of(rule.reason()) + of(rule.when().symbols());
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
