package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.trade.AccountAssets;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The assets of one account: those it holds, and those its policy statement names (docs/reference/rules.md, Asset
 * identity).
 *
 * @param portfolio the holdings, null when there never were any
 * @param ips the statement in force, null when there is none
 * @param underWay accepted trades that are not yet filled; their purchases count as held
 */
public record KnownAssets(
        @Nullable Portfolio portfolio, @Nullable Ips ips, List<Trade> underWay) implements AccountAssets {

    public KnownAssets {
        underWay = List.copyOf(underWay);
    }

    /** A resolver that knows these holdings, this statement and the built-in directory. */
    public static AssetResolver resolver(
            @Nullable Portfolio portfolio, @Nullable IpsVersion version, List<Trade> underWay) {
        Ips ips = version == null ? null : version.ips();
        return new AssetResolver(AssetDirectory.builtIn(), new KnownAssets(portfolio, ips, underWay));
    }

    @Override
    public @Nullable AssetType held(AssetSymbol symbol) {
        AssetType held = portfolio == null ? null : portfolio.heldIn(symbol);
        for (Trade trade : underWay) {
            if (held == null && trade.isBuy() && trade.asset().equals(symbol)) {
                held = trade.assetType();
            }
        }
        return held;
    }

    @Override
    public @Nullable AssetType listed(AssetSymbol symbol) {
        AssetType listed = portfolio == null ? null : portfolio.listedIn(symbol);
        // The sleeve in a standing rule is a condition: it must not turn BTC into a share.
        return listed == null && ips != null && AssetDirectory.builtIn().find(symbol) == null
                ? ips.listedIn(symbol)
                : listed;
    }

    @Override
    public boolean isNamed(AssetSymbol symbol) {
        return ips != null && ips.names(symbol);
    }
}
