package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.DayHighs;
import dev.agentpolicy.domain.portfolio.DayHighs.DayHigh;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.SyncHistory;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A trade that one of two statements allows and the other does not, as the evaluator decides it.
 *
 * @param shows looser if it is newly allowed, tighter if it is newly blocked
 * @param situation in which it is decided
 * @param before under the statement that is replaced
 * @param after under the statement that replaces it
 */
public record TradeWitness(PolicyRelation shows, Situation situation, Decision before, Decision after) {

    /**
     * What a decision depends on beside the statement. The trade is of a key without caps.
     *
     * @param trade as an agent sends it
     * @param cash in USD
     * @param positions what is held; those of a quantity of 0 only tell the sleeve of their asset
     * @param peak the highest value so far; null when the portfolio stands at it
     * @param peakDaysAgo how many UTC days ago the peak was; 0 without a peak
     * @param used what a flow counted before; null for nothing
     * @param agentKeyId the key that asks; null for any without approvals of its own
     * @param at when it is decided
     */
    public record Situation(
            Trade trade,
            Usd cash,
            List<Position> positions,
            @Nullable Usd peak,
            int peakDaysAgo,
            @Nullable UsedFlow used,
            @Nullable UUID agentKeyId,
            Instant at) {

        public Situation {
            positions = List.copyOf(positions);
        }

        /** The portfolio at one paper custodian. */
        public Portfolio portfolio() {
            CustodianHoldings holdings =
                    new CustodianHoldings("witness", "Witness", CustodianKind.PAPER, at, 1, cash, positions);
            Usd total = holdings.total();
            LocalDate today = LocalDate.ofInstant(at, ZoneOffset.UTC);
            List<DayHigh> highs = new ArrayList<>();
            if (peak != null && peakDaysAgo > 0) {
                highs.add(new DayHigh(today.minusDays(peakDaysAgo), peak));
            }
            highs.add(new DayHigh(today, peak != null && peakDaysAgo == 0 ? peak : total));
            return new Portfolio(
                    1, List.of(holdings), peak == null ? total : peak, at, 1, SyncHistory.NONE, new DayHighs(highs));
        }

        /** The decision of the evaluator under a statement. */
        public Decision decide(Ips ips) {
            return Evaluator.decide(context(ips));
        }

        EvaluationContext context(Ips ips) {
            Portfolio portfolio = portfolio();
            IpsVersion version = new IpsVersion(1, ips, Instant.EPOCH);
            ResolvedAsset asset = KnownAssets.resolver(portfolio, version, List.of())
                    .resolve(trade.asset(), trade.assetType(), trade.asset().value())
                    .under(ips.unknownAssets());
            Usd held = portfolio.held(asset.symbol(), trade.assetType());
            EvaluationContext context = EvaluationContext.of(trade, asset, at)
                    .with(version)
                    .with(portfolio.snapshot().orElse(null), held)
                    .with(ips.approvals(agentKeyId == null ? new UUID(0, 0) : agentKeyId, at).stream()
                            .map(ApprovalUse::nothing)
                            .toList());
            List<LimitMeasure> measures = new ArrayList<>();
            List<LimitMeasure> ofPortfolio = LimitMeasure.all(context, portfolio, null, null);
            for (Limit limit : ips.limits()) {
                if (limit.isFlow() && limit.holds(context.trade()) && !asset.refuses(trade.assetType())) {
                    boolean isUsed = used != null && used.isOf(limit, asset.symbol());
                    measures.add(new LimitMeasure(
                            limit.id(),
                            isUsed ? Objects.requireNonNull(used).usd : Usd.ZERO,
                            isUsed ? Objects.requireNonNull(used).trades : 0L,
                            null,
                            null,
                            null));
                }
                ofPortfolio.stream()
                        .filter(measure -> measure.id().equals(limit.id()))
                        .forEach(measures::add);
            }
            return context.withLimits(measures);
        }
    }

    /**
     * What a flow counted before the trade.
     *
     * @param limitId the limit that has the form, in the statement that blocks the trade
     * @param form what is counted; other forms have counted nothing
     * @param symbol of a flow per asset: the only asset that was counted, as a statement knows it; null for any
     */
    public record UsedFlow(
            String limitId, FlowForm form, @Nullable AssetSymbol symbol, Usd usd, long trades) {

        private boolean isOf(Limit flow, AssetSymbol asset) {
            return form.equals(flow.flow()) && (symbol == null || symbol.equals(asset));
        }
    }

    /** The witness of a situation; null when the evaluator decides otherwise. */
    static @Nullable TradeWitness of(Situation situation, Ips from, Ips to) {
        Decision before = situation.decide(from);
        Decision after = situation.decide(to);
        if (before.isAllowed() == after.isAllowed()) {
            return null;
        }
        PolicyRelation shows = after.isAllowed() ? PolicyRelation.LOOSER : PolicyRelation.TIGHTER;
        return new TradeWitness(shows, situation, before, after);
    }

    /** Whether the trade is blocked for one reason alone. */
    boolean isPlain() {
        return before.violations().size() + after.violations().size() == 1;
    }
}
