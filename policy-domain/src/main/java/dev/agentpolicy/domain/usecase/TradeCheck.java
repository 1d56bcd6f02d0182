package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks trades against the policy and portfolio of an account. */
public final class TradeCheck {

    private TradeCheck() {}

    /**
     * A decision and what the log records with it.
     *
     * @param decision allowed or blocked, with reasons
     * @param trade the trade with the canonical symbol of its asset
     * @param asset what the symbol was resolved to
     * @param held value held of the asset; null when it is not known
     */
    public record CheckedTrade(
            Decision decision,
            Trade trade,
            ResolvedAsset asset,
            @Nullable Usd held) {}

    /** Resolves the asset of a trade and decides on the trade. */
    public static CheckedTrade check(Account account, KeyPolicy policy, SentTrade sent, CapUsage used) {
        return checkAfter(List.of(), account, policy, sent, used);
    }

    /** Checks a trade as if the given other trades had been executed before it. */
    public static CheckedTrade checkAfter(
            List<Trade> others, Account account, KeyPolicy policy, SentTrade sent, CapUsage used) {
        ResolvedAsset asset = resolve(others, account, sent);
        Trade trade = sent.trade().of(asset.symbol());
        // A trade with the wrong sleeve is blocked for that; its limits are not checked against the portfolio.
        Portfolio portfolio = asset.contradicts(trade.assetType()) ? null : account.portfolio();
        Snapshot snapshot = portfolio == null ? null : portfolio.snapshot().orElse(null);
        Usd held = portfolio == null || snapshot == null ? null : portfolio.held(trade.asset(), trade.assetType());
        for (Trade other : others) {
            snapshot = snapshot == null ? null : Projection.of(snapshot, other).after();
            held = held == null ? null : heldAfter(held, other, trade);
        }
        EvaluationContext context =
                new EvaluationContext(trade, asset, account.ips(), snapshot, held, policy, used, account.now());
        return new CheckedTrade(Evaluator.decide(context), trade, asset, held);
    }

    private static ResolvedAsset resolve(List<Trade> others, Account account, SentTrade sent) {
        IpsVersion ips = account.ips();
        Trade trade = sent.trade();
        return KnownAssets.resolver(account.portfolio(), ips, others)
                .resolve(trade.asset(), trade.assetType(), sent.symbol())
                .under(ips == null ? UnknownAssets.AS_SAID : ips.ips().unknownAssets());
    }

    private static Usd heldAfter(Usd held, Trade other, Trade trade) {
        if (!other.asset().equals(trade.asset()) || other.assetType() != trade.assetType()) {
            return held;
        }
        return other.isBuy()
                ? held.plus(other.arriving())
                : held.minus(other.amount()).max(Usd.ZERO);
    }

    /** What a key has used of its caps before its next decision. */
    public static CapUsage used(Account account, AgentKey key) {
        Tally tally = account.tally(key.id());
        return new CapUsage(account.calls(key), tally.usd(), tally.aum());
    }
}
