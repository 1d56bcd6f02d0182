package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.List;

/**
 * The position of a portfolio against one limit of its policy.
 *
 * @param rule the rule of the limit
 * @param limit the limit as a fraction
 * @param actual the present fraction, with six places
 */
public record Drift(Rule rule, Fraction limit, Fraction actual) {
    static final List<Rule> EDGES = List.of(
            Rule.CRYPTO_MAX_ALLOCATION,
            Rule.CRYPTO_MIN_ALLOCATION,
            Rule.TRADFI_MAX_ALLOCATION,
            Rule.TRADFI_MIN_ALLOCATION,
            Rule.CASH_FLOOR);

    /** Every limit that a portfolio exceeds, in the order of the rules. */
    public static List<Drift> of(Snapshot snapshot, Ips ips) {
        return EDGES.stream()
                .filter(edge -> isBeyond(edge, snapshot, ips))
                .map(edge -> at(edge, snapshot, ips))
                .toList();
    }

    /** The position against a limit, exceeded or not. */
    public static Drift at(Rule edge, Snapshot snapshot, Ips ips) {
        return new Drift(edge, limit(edge, ips), share(edge, snapshot).rounded());
    }

    private static boolean isBeyond(Rule edge, Snapshot snapshot, Ips ips) {
        Share share = share(edge, snapshot);
        return isMaximum(edge) ? share.isAbove(limit(edge, ips)) : share.isBelow(limit(edge, ips));
    }

    /** Whether a limit is an upper one. */
    static boolean isMaximum(Rule edge) {
        return edge == Rule.CRYPTO_MAX_ALLOCATION || edge == Rule.TRADFI_MAX_ALLOCATION;
    }

    static Share share(Rule edge, Snapshot snapshot) {
        return switch (edge) {
            case CRYPTO_MAX_ALLOCATION, CRYPTO_MIN_ALLOCATION -> snapshot.share(AssetType.CRYPTO);
            case TRADFI_MAX_ALLOCATION, TRADFI_MIN_ALLOCATION -> snapshot.share(AssetType.TRADFI);
            case CASH_FLOOR -> snapshot.cashShare();
            default -> throw new IllegalArgumentException(edge.wireName() + " is not an allocation rule.");
        };
    }

    static Fraction limit(Rule edge, Ips ips) {
        return switch (edge) {
            case CRYPTO_MAX_ALLOCATION -> ips.crypto().max();
            case CRYPTO_MIN_ALLOCATION -> ips.crypto().min();
            case TRADFI_MAX_ALLOCATION -> ips.tradfi().max();
            case TRADFI_MIN_ALLOCATION -> ips.tradfi().min();
            case CASH_FLOOR -> ips.cashFloor();
            default -> throw new IllegalArgumentException(edge.wireName() + " is not an allocation rule.");
        };
    }
}
