package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.UnknownAssets;
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
 * @param unknownAssets what becomes of a trade in an asset whose sleeve nobody knows
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
        UnknownAssets unknownAssets,
        @Nullable Integer tier) {

    public Ips {
        allowedActions = Set.copyOf(allowedActions);
        standingRules = List.copyOf(standingRules);
    }

    /** Whether it says anything of an asset by this symbol. */
    public boolean names(AssetSymbol symbol) {
        if (assetAuthority.assets().containsKey(symbol)) {
            return true;
        }
        for (StandingRule rule : standingRules) {
            if (rule.when().names(symbol)) {
                return true;
            }
        }
        return false;
    }

    /** The sleeve in which standing rules put an asset; null when none does, crypto when they disagree. */
    public @Nullable AssetType listedIn(AssetSymbol symbol) {
        AssetType listed = null;
        for (StandingRule rule : standingRules) {
            AssetType type = rule.when().names(symbol) ? rule.when().onlySleeve() : null;
            if (type == AssetType.CRYPTO) {
                return type;
            }
            listed = type == null ? listed : type;
        }
        return listed;
    }

    public AllocationBand band(AssetType sleeve) {
        return sleeve == AssetType.CRYPTO ? crypto : tradfi;
    }
}
