package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An investment policy statement (contract, section 1). Immutable: every change is a new version.
 *
 * @param crypto band of the crypto sleeve
 * @param tradfi band of the tradfi sleeve
 * @param cashFloor least part of the portfolio to stay in cash
 * @param maxDrawdown most the portfolio may be below its peak
 * @param maxSlippage most slippage a trade may expect, as a fraction
 * @param allowedActions what agents may do at all; empty is a pause
 * @param assetAuthority what they may do with each asset
 * @param standingRules rules of the user's own, in the order given
 * @param tier 1 conservative to 5 aggressive; a label, null when not given
 */
public record Ips(
        AllocationBand crypto,
        AllocationBand tradfi,
        Fraction cashFloor,
        Fraction maxDrawdown,
        Fraction maxSlippage,
        Set<Action> allowedActions,
        AssetAuthority assetAuthority,
        List<StandingRule> standingRules,
        @Nullable Integer tier) {

    public Ips {
        allowedActions = Set.copyOf(allowedActions);
        standingRules = List.copyOf(standingRules);
    }

    public AllocationBand band(AssetType sleeve) {
        return sleeve == AssetType.CRYPTO ? crypto : tradfi;
    }
}
