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
 * The assets that an account holds, lists or names in its IPS (docs/reference/rules.md, Asset identity).
 *
 * @param portfolio the holdings; null when the user never held anything
 * @param ips the IPS in force; null when there is none
 * @param unfilled accepted trades that are not yet filled; what they buy counts as held
 */
public record KnownAssets(
        @Nullable Portfolio portfolio, @Nullable Ips ips, List<Trade> unfilled) implements AccountAssets {

    public KnownAssets {
        unfilled = List.copyOf(unfilled);
    }

    /** A resolver that knows these holdings, this IPS and the built-in directory. */
    public static AssetResolver resolver(
            @Nullable Portfolio portfolio, @Nullable IpsVersion version, List<Trade> unfilled) {
        Ips ips = version == null ? null : version.ips();
        return new AssetResolver(AssetDirectory.builtIn(), new KnownAssets(portfolio, ips, unfilled));
    }

    @Override
    public @Nullable AssetType held(AssetSymbol symbol) {
        AssetType held = portfolio == null ? null : portfolio.heldIn(symbol);
        for (Trade trade : unfilled) {
            if (held == null && trade.isBuy() && trade.asset().equals(symbol)) {
                held = trade.assetType();
            }
        }
        return held;
    }

    @Override
    public @Nullable AssetType listed(AssetSymbol symbol) {
        AssetType listed = portfolio == null ? null : portfolio.listedIn(symbol);
        // A rule states its sleeve as a condition, not as a fact: it must not turn BTC into a share.
        return listed == null && ips != null && AssetDirectory.builtIn().find(symbol) == null
                ? ips.listedIn(symbol)
                : listed;
    }

    @Override
    public boolean isNamed(AssetSymbol symbol) {
        return ips != null && ips.names(symbol);
    }
}
