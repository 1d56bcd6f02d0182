package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;

/**
 * A trade of a request that is not yet filled.
 *
 * @param trade with the canonical symbol of its asset
 * @param isOfCallingKey whether it was proposed by the key whose next decision is looked at
 */
public record PendingTrade(Trade trade, boolean isOfCallingKey) {

    /**
     * The context of a decision as it will be once pending trades have been filled, each with its whole amount and its
     * expected slippage.
     *
     * <p>Pending buys of the calling key count for its AUM cap already, so only its sells change what it has used. Daily
     * caps stay as they are: proposals counted for them when they were made.
     *
     * @param now the context at present; its asset is resolved as if the buys were held already
     * @param pending in the order in which they were proposed; neither sums nor what is held fall below 0
     */
    public static EvaluationContext allFilled(EvaluationContext now, List<PendingTrade> pending) {
        Snapshot snapshot = now.snapshot();
        Usd held = now.held();
        Usd aum = now.used().aum();
        List<LimitMeasure> limits = now.limits();
        for (PendingTrade it : pending) {
            Trade trade = it.trade();
            snapshot = snapshot == null ? null : Projection.of(snapshot, trade).after();
            limits = limits.stream().map(measure -> after(measure, trade, now)).toList();
            held = held == null ? null : heldAfter(held, trade, now.trade());
            aum = it.isOfCallingKey && !trade.isBuy() ? less(aum, trade.amount()) : aum;
        }
        CapUsage used = new CapUsage(now.used().calls(), now.used().usd(), aum);
        return now.with(snapshot, held).with(now.policy(), used).withLimits(limits);
    }

    private static Usd heldAfter(Usd held, Trade done, Trade next) {
        if (!done.asset().equals(next.asset()) || done.assetType() != next.assetType()) {
            return held;
        }
        return done.isBuy() ? held.plus(done.arriving()) : less(held, done.amount());
    }

    /** A position after a trade of one of its assets. Flows counted the trade when it was proposed. */
    private static LimitMeasure after(LimitMeasure measure, Trade done, EvaluationContext now) {
        Usd held = measure.held();
        if (held == null) {
            return measure;
        }
        Limit limit = now.limit(measure);
        if (limit.perAsset()) {
            return LimitMeasure.position(measure.id(), heldAfter(held, done, now.trade()));
        }
        return limit.holds(done)
                ? LimitMeasure.position(
                        measure.id(), done.isBuy() ? held.plus(done.arriving()) : less(held, done.amount()))
                : measure;
    }

    private static Usd less(Usd from, Usd amount) {
        return from.minus(amount).max(Usd.ZERO);
    }
}
