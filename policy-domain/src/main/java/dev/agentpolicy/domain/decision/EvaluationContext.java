package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that a check may look at (contract, section 1).
 *
 * @param trade what an agent wants; becomes a trade of what its asset was taken for
 * @param asset what its asset was taken for, null of a decision made before this was recorded
 * @param ips the statement in force, null when the user has none
 * @param snapshot the portfolio now, null when there is none; one worth nothing becomes none
 * @param held value held of the asset, null when there is no snapshot or it lists no positions
 * @param policy caps of the calling key
 * @param used what the key had used before
 * @param now the moment of the check
 */
public record EvaluationContext(
        Trade trade,
        @Nullable ResolvedAsset asset,
        @Nullable IpsVersion ips,
        @Nullable Snapshot snapshot,
        @Nullable Usd held,
        KeyPolicy policy,
        CapUsage used,
        Instant now) {

    public EvaluationContext {
        trade = asset == null ? trade : trade.of(asset.symbol());
        snapshot = snapshot == null || snapshot.total().isZero() ? null : snapshot;
        held = snapshot == null ? null : held;
    }
}
