package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.LinearSystem.Inequality;
import dev.agentpolicy.domain.compare.TradeSpace.OtherAsset;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The conditions of portfolios for one action and asset, as linear inequalities.
 *
 * <p>Its variables are what a trade leaves behind, so that all are 0 or more: what slippage takes, what arrives, the cash
 * that does not come from the trade, the value of the asset that does not come from it, how far the peak is above the
 * total before the trade, and the value of each sort of other assets. All inequalities are homogeneous: a solution times
 * a number is a solution, so amounts of trades can be chosen apart.
 *
 * <pre>
 *   amount          = LOST + ARRIVING
 *   total after     = ARRIVING + CASH + ASSET + others
 *   total before    = total after + LOST
 *   cash before     = CASH + amount for a buy, CASH for a sell
 *   asset before    = ASSET for a buy, ASSET + amount for a sell
 *   peak            = total before + PEAK
 * </pre>
 */
final class TradeCone {
    static final int LOST = 0;
    static final int ARRIVING = 1;
    static final int CASH = 2;
    static final int ASSET = 3;
    static final int PEAK = 4;
    static final int OTHERS = 5;

    private static final BigDecimal LESS = BigDecimal.ONE.negate();

    private final boolean isBuy;
    private final AssetType sleeve;
    private final List<Sort> sorts;

    /** Other assets that the same positions count, the first of which represent them. */
    record Sort(AssetType sleeve, List<Boolean> counted, List<OtherAsset> assets) {}

    /**
     * @param asset the symbols under which the two statements know the asset
     * @param scopes of the positions of several assets in both statements
     */
    TradeCone(Action action, List<AssetSymbol> asset, AssetType sleeve, List<When> scopes, List<OtherAsset> others) {
        this.isBuy = action == Action.BUY;
        this.sleeve = sleeve;
        Map<String, Sort> byCounts = new TreeMap<>();
        for (OtherAsset other : others) {
            boolean isThis = asset.stream()
                    .anyMatch(symbol -> symbol.value().startsWith(other.symbol().value()) && other.isFree()
                            || symbol.equals(other.symbol()));
            List<Boolean> counted = new ArrayList<>();
            for (When scope : scopes) {
                counted.add(scope.covers(Action.BUY, other.symbol(), other.sleeve()));
            }
            if (!isThis) {
                byCounts.computeIfAbsent(
                                other.sleeve() + " " + counted,
                                key -> new Sort(other.sleeve(), counted, new ArrayList<>()))
                        .assets
                        .add(other);
            }
        }
        this.sorts = List.copyOf(byCounts.values());
    }

    int variables() {
        return OTHERS + sorts.size();
    }

    List<Sort> sorts() {
        return sorts;
    }

    private Inequality zero() {
        return Inequality.zero(variables());
    }

    /** The sum of some variables. */
    Inequality sum(Integer... variables) {
        return zero().plus(BigDecimal.ONE, List.of(variables));
    }

    /** A variable that is 0. */
    Inequality none(int variable) {
        return zero().plus(LESS, List.of(variable));
    }

    private List<Integer> all() {
        List<Integer> all = new ArrayList<>(List.of(ARRIVING, CASH, ASSET));
        for (int i = 0; i < sorts.size(); i++) {
            all.add(OTHERS + i);
        }
        return all;
    }

    private List<Integer> sleeve() {
        List<Integer> same = new ArrayList<>(isBuy ? List.of(ARRIVING, ASSET) : List.of(ASSET));
        for (int i = 0; i < sorts.size(); i++) {
            if (sorts.get(i).sleeve == sleeve) {
                same.add(OTHERS + i);
            }
        }
        return same;
    }

    /** The total before the trade. */
    Inequality total() {
        return zero().plus(BigDecimal.ONE, all()).plus(BigDecimal.ONE, List.of(LOST));
    }

    Inequality slippage(Ips ips) {
        BigDecimal max = ips.maxSlippage().value();
        return zero().plus(max, List.of(ARRIVING)).plus(max.subtract(BigDecimal.ONE), List.of(LOST));
    }

    /** The sleeve is at most the maximum after a buy, at least the minimum after a sell. */
    Inequality band(Ips ips) {
        return isBuy
                ? zero().plus(ips.band(sleeve).max().value(), all()).plus(LESS, sleeve())
                : zero().plus(ips.band(sleeve).min().value().negate(), all()).plus(BigDecimal.ONE, sleeve());
    }

    /** Cash is at least the floor after a buy. */
    Inequality floor(Ips ips) {
        return sum(CASH).plus(ips.cashFloor().value().negate(), all());
    }

    /** The total after the trade is at most a fraction below the peak, or below the total before if that is the highest. */
    Inequality drawdown(Fraction max, boolean isBelowPeak) {
        BigDecimal kept = BigDecimal.ONE.subtract(max.value());
        return zero().plus(max.value(), all()).plus(kept.negate(), isBelowPeak ? List.of(LOST, PEAK) : List.of(LOST));
    }

    /** The total before the trade is more than a fraction below the peak. */
    Inequality beyond(Fraction max) {
        BigDecimal kept = BigDecimal.ONE.subtract(max.value());
        return total().plus(LESS, all())
                .plus(LESS, List.of(LOST))
                .plus(max.value().negate(), all())
                .plus(max.value().negate(), List.of(LOST))
                .plus(kept, List.of(PEAK))
                .strict();
    }

    /** What is held of an asset, or of all in a scope, is at most the maximum after a buy. */
    Inequality position(Limit limit, List<When> scopes) {
        List<Integer> counted = new ArrayList<>(List.of(ARRIVING, ASSET));
        int place = scopes.indexOf(limit.scope());
        for (int i = 0; i < sorts.size(); i++) {
            if (!limit.perAsset() && sorts.get(i).counted.get(place)) {
                counted.add(OTHERS + i);
            }
        }
        return zero().plus(limit.most().value(), all()).plus(LESS, counted);
    }

    /** Pairs of sorts that only one asset can represent, in one sleeve or the other. */
    List<int[]> exclusive() {
        Map<AssetSymbol, Integer> alone = new LinkedHashMap<>();
        List<int[]> pairs = new ArrayList<>();
        for (int i = 0; i < sorts.size(); i++) {
            OtherAsset only = sorts.get(i).assets.get(0);
            if (sorts.get(i).assets.size() == 1 && only.isFree()) {
                Integer other = alone.put(only.symbol(), i);
                if (other != null) {
                    pairs.add(new int[] {OTHERS + other, OTHERS + i});
                }
            }
        }
        return pairs;
    }
}
