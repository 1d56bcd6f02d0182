package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.Evaluator.ViolationFormat;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.rule.Violation.Sentence;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks a trade against the limits of a statement (docs/reference/rules.md, limits). A limit without a
 * {@link LimitMeasure} is not checked.
 */
final class LimitCheck {
    private LimitCheck() {}

    /** The violations of the limits with an effect that a trade breaks, approvals aside, in the order of the statement. */
    static List<Violation> broken(EvaluationContext it, Effect effect, @Nullable Projection after) {
        List<Violation> broken = new ArrayList<>(0);
        for (LimitMeasure measure : it.limits()) {
            Limit limit = it.limit(measure);
            Violation violation = limit.effect() == effect ? violation(limit, measure, it, after) : null;
            if (violation != null) {
                broken.add(violation);
            }
        }
        return broken;
    }

    private static @Nullable Violation violation(
            Limit limit, LimitMeasure measure, EvaluationContext it, @Nullable Projection after) {
        return limit.isFlow() ? flow(limit, measure, it) : share(limit, measure, it.trade(), after);
    }

    /** A position or a loss that a buy would leave beyond its maximum. */
    private static @Nullable Violation share(
            Limit limit, LimitMeasure measure, Trade trade, @Nullable Projection after) {
        if (after == null || !trade.isBuy()) {
            return null;
        }
        Share share = after(measure, trade, after);
        if (!share.isAbove(limit.most())) {
            return null;
        }
        BigDecimal actual = share.isDefined() ? share.rounded().value() : null;
        boolean isLoss = limit.windowDays() != null;
        Sentence sentence = v -> isLoss ? loss(limit, v) : position(limit, trade, v);
        return new Violation(rule(limit), sentence, limit.most().value(), actual).withRuleId(limit.id());
    }

    /** What a buy makes of a position, as a part of the portfolio, or of a loss, as a part of the highest value. */
    private static Share after(LimitMeasure measure, Trade trade, Projection after) {
        Usd peak = measure.peak();
        return peak == null
                ? Objects.requireNonNull(measure.held()).plus(trade.arriving()).shareOf(after.total())
                : peak.minus(after.total()).shareOf(peak);
    }

    /** What a buy makes of the position or the loss of a limit, in six places; null when it is not measured. */
    static @Nullable BigDecimal actual(EvaluationContext it, String limit) {
        Snapshot before = it.snapshot();
        for (LimitMeasure measure : it.limits()) {
            if (before != null && measure.id().equals(limit) && measure.usd() == null) {
                return after(measure, it.trade(), Projection.of(before, it.trade()))
                        .rounded()
                        .value();
            }
        }
        return null;
    }

    private static @Nullable Violation flow(Limit limit, LimitMeasure measure, EvaluationContext it) {
        Usd amount = it.trade().amount();
        Usd usd = Objects.requireNonNull(measure.usd()).plus(amount);
        long trades = Objects.requireNonNull(measure.trades()) + 1;
        Usd maxUsd = limit.maxUsd();
        Integer maxTrades = limit.maxTrades();
        boolean isUsd = maxUsd != null && usd.isAbove(maxUsd);
        if (!isUsd && (maxTrades == null || trades <= maxTrades)) {
            return null;
        }
        BigDecimal most =
                maxUsd != null && isUsd ? maxUsd.value() : BigDecimal.valueOf(Objects.requireNonNull(maxTrades));
        BigDecimal actual = isUsd ? usd.value() : BigDecimal.valueOf(trades);
        return new Violation(rule(limit), v -> flow(limit, isUsd, v), most, actual)
                .withRuleId(limit.id())
                .withRetryAt(
                        measure.window() == null ? null : measure.window().fitsAt(amount, maxUsd, maxTrades, it.now()));
    }

    private static Rule rule(Limit limit) {
        return limit.effect() == Effect.BLOCK ? Rule.STANDING_RULE_BLOCKED : Rule.STANDING_RULE_REQUIRES_APPROVAL;
    }

    // Messages

    private static String position(Limit limit, Trade trade, Violation it) {
        String most = ViolationFormat.limit(it);
        if (it.actual() == null) {
            return "Nothing would be left of the portfolio; limit " + limit.id() + ends(limit, most);
        }
        String share = " would be " + ViolationFormat.actual(it, "above") + " of the portfolio; ";
        Set<?> symbols = limit.scope().symbols();
        return limit.perAsset() || symbols != null && symbols.size() == 1
                ? trade.asset() + share + "limit " + limit.id() + ends(limit, most)
                : "The assets of limit " + limit.id() + share + "it" + ends(limit, most);
    }

    private static String loss(Limit limit, Violation it) {
        return "The portfolio would be " + ViolationFormat.actual(it, "above") + " below its highest value of "
                + counted(Objects.requireNonNull(limit.windowDays()), "day") + "; limit " + limit.id()
                + ends(limit, ViolationFormat.limit(it));
    }

    private static String flow(Limit limit, boolean isUsd, Violation it) {
        String most = isUsd ? ViolationFormat.usd(it.limit()) : String.valueOf(it.limit());
        String actual = isUsd
                ? ViolationFormat.usd(it.actual())
                : counted(Objects.requireNonNull(it.actual()).longValue(), "trade");
        return actual + " would be proposed within " + counted(limit.flow().windowMinutes(), "minute") + "; limit "
                + limit.id() + ends(limit, most);
    }

    private static String ends(Limit limit, String most) {
        String end = (limit.effect() == Effect.BLOCK ? " allows " : " asks above ") + most + ".";
        String reason = limit.reason();
        return reason == null || reason.isEmpty() ? end : end + " " + Evaluator.sentence(reason);
    }

    private static String counted(long number, String unit) {
        return number + " " + unit + (number == 1 ? "" : "s");
    }
}
