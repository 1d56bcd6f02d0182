package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A policy statement, ready to decide trades as the service does. Immutable and free of side effects.
 *
 * <p>It resolves the asset of a trade by the statement, the holdings and the built-in directory, and then calls
 * {@link Evaluator#decide}, which takes everything a decision depends on as an {@link EvaluationContext}.
 */
public final class Policy {
    private final IpsVersion version;
    private final KeyPolicy caps;
    private final CapUsage used;

    private Policy(IpsVersion version, KeyPolicy caps, CapUsage used) {
        this.version = version;
        this.caps = caps;
        this.used = used;
    }

    /** A statement, which decisions name as version 1. */
    public static Policy of(Ips ips) {
        return of(new IpsVersion(1, ips, Instant.EPOCH));
    }

    /** A statement with a version of its own. */
    public static Policy of(IpsVersion version) {
        return new Policy(version, KeyPolicy.NO_CAPS, CapUsage.NOTHING);
    }

    /** The same statement for a key with caps of its own. */
    public Policy with(KeyPolicy keyCaps, CapUsage usedBefore) {
        return new Policy(version, keyCaps, usedBefore);
    }

    /** Decides a trade at the time of a portfolio, {@link Portfolio#asOf()}. */
    public Decision decide(Trade trade, Portfolio portfolio) {
        return decide(SentTrade.of(trade), portfolio, portfolio.asOf());
    }

    /** Decides a trade at a time. */
    public Decision decide(SentTrade sent, Portfolio portfolio, Instant now) {
        ResolvedAsset asset = resolve(sent, portfolio);
        Usd held = portfolio.held(asset.symbol(), sent.trade().assetType());
        return decide(sent, asset, portfolio.snapshot().orElse(null), held, now);
    }

    /**
     * Decides a trade by the totals of a portfolio, at their time. Since they do not say what is held of an asset, a
     * sale of more than is held is not noticed.
     *
     * @throws NullPointerException when the snapshot has no date
     */
    public Decision decide(Trade trade, Snapshot portfolio) {
        SentTrade sent = SentTrade.of(trade);
        return decide(sent, resolve(sent, null), portfolio, null, Objects.requireNonNull(portfolio.date()));
    }

    private Decision decide(
            SentTrade sent, ResolvedAsset asset, @Nullable Snapshot snapshot, @Nullable Usd held, Instant now) {
        return Evaluator.decide(EvaluationContext.of(sent.trade(), asset, now)
                .with(version)
                .with(snapshot, held)
                .with(caps, used));
    }

    private ResolvedAsset resolve(SentTrade sent, @Nullable Portfolio portfolio) {
        Trade trade = sent.trade();
        return KnownAssets.resolver(portfolio, version, List.of())
                .resolve(trade.asset(), trade.assetType(), sent.symbol())
                .under(version.ips().unknownAssets());
    }
}
