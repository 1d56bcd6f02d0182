package dev.agentpolicy.domain.account;

import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.trade.AccountAssets;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an account says of assets by its holdings and its statement (docs/reference/rules.md, Asset identity).
 *
 * @param portfolio what is held, null when nothing ever was
 * @param ips the statement in force, null when there is none
 * @param underWay trades that were accepted and are not yet filled; what they buy counts as held
 */
public record KnownAssets(
        @Nullable Portfolio portfolio, @Nullable Ips ips, List<Trade> unfilled) implements AccountAssets {

    public KnownAssets {
        unfilled = List.copyOf(unfilled);
    }

    /** Resolves symbols in an account that stands still. */
    public static AssetResolver resolver(Account account) {
        return resolver(account.portfolio(), account.ips(), List.of());
    }

    /** Resolves symbols by these holdings, this statement and the built-in directory. */
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
        // The sleeve of a rule is a condition, not a statement: it must not turn BTC into a share.
        return listed == null && ips != null && AssetDirectory.builtIn().find(symbol) == null
                ? ips.listedIn(symbol)
                : listed;
    }

    @Override
    public boolean isNamed(AssetSymbol symbol) {
        return ips != null && ips.names(symbol);
    }
}
