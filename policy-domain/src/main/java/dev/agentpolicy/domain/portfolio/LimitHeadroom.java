package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a portfolio is from one limit of its policy.
 *
 * @param rule the rule of the limit
 * @param limit the limit as a fraction
 * @param actual the present fraction, with six places
 * @param left the distance to the limit as a fraction with six places; negative beyond the limit
 * @param leftUsd the distance in USD, rounded down to cents; negative beyond the limit
 */
public record LimitHeadroom(Rule rule, Fraction limit, Fraction actual, Fraction left, Usd leftUsd) {
    private static final int CENTS = 2;

    /** The distance to every limit that depends on the portfolio, in the order of the rules. */
    public static List<LimitHeadroom> all(Snapshot snapshot, Ips ips) {
        List<LimitHeadroom> all = new ArrayList<>();
        for (Rule edge : Drift.EDGES) {
            all.add(of(edge, Drift.limit(edge, ips), Drift.share(edge, snapshot), Drift.isMaximum(edge)));
        }
        all.add(of(Rule.DRAWDOWN_EXCEEDED, ips.maxDrawdown(), snapshot.drawdown(), true));
        return List.copyOf(all);
    }

    private static LimitHeadroom of(Rule rule, Fraction limit, Share actual, boolean isMaximum) {
        Usd bound = actual.whole().times(limit);
        Usd left = isMaximum ? bound.minus(actual.part()) : actual.part().minus(bound);
        return new LimitHeadroom(
                rule,
                limit,
                actual.rounded(),
                left.shareOf(actual.whole()).rounded(),
                new Usd(left.value().setScale(CENTS, RoundingMode.FLOOR)));
    }
}
