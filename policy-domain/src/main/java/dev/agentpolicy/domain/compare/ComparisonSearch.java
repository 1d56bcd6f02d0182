package dev.agentpolicy.domain.compare;

import static dev.agentpolicy.domain.compare.TradeCone.ARRIVING;
import static dev.agentpolicy.domain.compare.TradeCone.ASSET;
import static dev.agentpolicy.domain.compare.TradeCone.LOST;
import static dev.agentpolicy.domain.compare.TradeCone.PEAK;

import dev.agentpolicy.domain.compare.LinearSystem.Inequality;
import dev.agentpolicy.domain.compare.TradeSpace.AssetCase;
import dev.agentpolicy.domain.compare.TradeSpace.Moment;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches for a trade that one statement blocks and another one allows. It is complete: if it finds none, there is none.
 *
 * <h2>How</h2>
 *
 * <p>The trades are cut into cells: the action, the sort of the asset, the key, the moment, and the intervals of amounts
 * between the maxima of approvals. In a cell, a statement allows a trade if the amount is within its standing rules and
 * flows, and if inequalities of the portfolio hold that are linear and homogeneous ({@link TradeCone}). One of these is
 * violated by the statement that blocks while all those of the other one hold, or there is no such trade in the cell.
 * Because the inequalities are homogeneous, whole cents matter only for the interval of the amount.
 *
 * <p>A sell is allowed by the drawdown in two ways: it does not pass the maximum, or the portfolio is beyond it already.
 * A peak above the total only ever blocks a buy, so it is needed only where the drawdown or a loss must be what blocks.
 */
final class ComparisonSearch {
    private static final BigDecimal CENT = new BigDecimal("0.01");
    private static final BigDecimal MAX = TradePayload.MAX_AMOUNT_USD;
    /** Trades that are tried before one that is blocked for several reasons is good enough. */
    private static final int MAX_TRIES = 6;
    /** Rules of which a moment is looked up in the time of a step. */
    private static final int RULES_PER_STEP = 8;

    private final TradeSpace space;
    private final Ips blocking;
    private final Ips allowing;
    private final List<Cell> cells;

    ComparisonSearch(TradeSpace space, Ips blocking, Ips allowing) {
        this.space = space;
        this.blocking = blocking;
        this.allowing = allowing;
        this.cells = cells();
    }

    /**
     * A sort of trades of which there is at least one.
     *
     * @param system what the portfolio solves
     * @param above the amount is above this
     * @param most the amount is at most this
     * @param reason for which they are blocked
     * @param peakDaysAgo when the peak was, if the portfolio is not at it
     */
    record Candidate(
            Cell cell,
            Moment moment,
            LinearSystem system,
            BigDecimal above,
            BigDecimal most,
            Reason reason,
            int peakDaysAgo) {}

    /** Whether there is such a trade. */
    boolean exists() {
        return visit(false, candidate -> true);
    }

    /** The plainest of such trades, confirmed by the evaluator; null when none has decimal numbers. */
    @Nullable
    TradeWitness find(Ips from, Ips to) {
        List<TradeWitness> found = new ArrayList<>();
        Predicate<Candidate> isEnough = candidate -> {
            Situation situation = new RoundTrade(candidate).situation();
            TradeWitness witness = situation == null ? null : TradeWitness.of(situation, from, to);
            if (witness != null) {
                found.add(witness.isPlain() ? 0 : found.size(), witness);
            }
            return witness != null && (witness.isPlain() || found.size() >= MAX_TRIES);
        };
        if (!visit(true, isEnough) && found.isEmpty()) {
            visit(false, isEnough);
        }
        return found.isEmpty() ? null : found.get(0);
    }

    /**
     * Goes through the sorts of trades that exist.
     *
     * @param isPlain only those that are blocked for one reason
     * @return whether one of them was enough
     */
    private boolean visit(boolean isPlain, Predicate<Candidate> isEnough) {
        for (Cell cell : cells) {
            if (cell.visit(isPlain, isEnough)) {
                return true;
            }
        }
        return false;
    }

    /** The cells in which the statements differ and the one that is to allow a trade may do so. */
    private List<Cell> cells() {
        List<When> differing = differingItems();
        List<Cell> cells = new ArrayList<>();
        for (AssetCase asset : space.assets()) {
            for (Action action : Action.values()) {
                boolean isAlike = differing != null
                        && asset.isHeld()
                        && differing.stream().noneMatch(when -> when.covers(action, asset.symbol(), asset.sleeve()));
                if (isAlike) {
                    continue;
                }
                Stance blocks = space.stance(blocking, asset, action);
                Stance allows = space.stance(allowing, asset, action);
                if (!allows.isNever && !blocks.isSame(allows)) {
                    for (UUID key : space.keys()) {
                        space.work().use(1);
                        cells.add(new Cell(asset, action, key, blocks, allows));
                    }
                }
            }
        }
        return cells;
    }

    /** The scopes of standing rules and limits that only one statement has; null if the statements differ in more. */
    private @Nullable List<When> differingItems() {
        Ips rest = blocking.withStandingRules(allowing.standingRules()).withLimits(allowing.limits());
        if (!rest.equals(allowing)) {
            return null;
        }
        List<When> differing = new ArrayList<>();
        addItemsOf(blocking, allowing, differing);
        addItemsOf(allowing, blocking, differing);
        return differing;
    }

    private static void addItemsOf(Ips one, Ips other, List<When> differing) {
        Set<Object> same = new HashSet<>(other.standingRules());
        same.addAll(other.limits());
        one.standingRules().stream().filter(it -> !same.contains(it)).forEach(it -> differing.add(it.when()));
        one.limits().stream().filter(it -> !same.contains(it)).forEach(it -> differing.add(it.scope()));
    }

    static boolean hasCents(BigDecimal above, BigDecimal most) {
        return above.setScale(2, RoundingMode.FLOOR).add(CENT).compareTo(most) <= 0;
    }

    /** What a statement says about the trades of a cell. */
    static final class Stance {
        private final Ips ips;
        private final ResolvedAsset asset;
        private final boolean isNever;
        private final List<StandingRule> rules = new ArrayList<>();
        private final List<Limit> limits = new ArrayList<>();
        private final List<BigDecimal> unapproved;
        private final Trade trade;

        /** @param asset as the statement resolves it */
        Stance(Ips ips, ResolvedAsset asset, AssetCase of, Action action) {
            this.ips = ips;
            this.asset = asset;
            this.trade = new Trade(action, asset.symbol(), of.sleeve(), Usd.ZERO, null);
            Level level = ips.assetAuthority().of(asset.symbol());
            boolean isHeldBack = level == Level.MONITOR || level == Level.PROTECT && !trade.isBuy();
            this.isNever = ips.isPaused()
                    || !ips.allowedActions().contains(action)
                    || !trade.isBuy() && !of.isHeld()
                    || asset.refuses(of.sleeve())
                    || asset.source() == Source.UNKNOWN
                    || isHeldBack;
            for (StandingRule rule : ips.standingRules()) {
                if (rule.when().covers(action, asset.symbol(), of.sleeve())) {
                    rules.add(rule);
                }
            }
            for (Limit limit : ips.limits()) {
                if (limit.holds(trade) && (trade.isBuy() || limit.isFlow())) {
                    limits.add(limit);
                }
            }
            this.unapproved = Collections.nCopies(limits.size(), BigDecimal.ZERO);
            rules.sort(Comparator.comparing(rule -> rule.when().isTimed()));
        }

        /** Whether another statement decides all these trades alike. */
        boolean isSame(Stance other) {
            return !isNever
                    && !other.isNever
                    && isSame(rules, other.rules)
                    && isSame(limits, other.limits)
                    && ips.approvals().equals(other.ips.approvals())
                    && ips.band(trade.assetType()).equals(other.ips.band(trade.assetType()))
                    && ips.cashFloor().equals(other.ips.cashFloor())
                    && ips.maxDrawdown().equals(other.ips.maxDrawdown())
                    && ips.maxSlippage().equals(other.ips.maxSlippage())
                    && trade.equals(other.trade);
        }

        /** Whether two lists are equal; most items are the same objects. */
        private static boolean isSame(List<?> one, List<?> other) {
            boolean isSame = one.size() == other.size();
            for (int i = 0; isSame && i < one.size(); i++) {
                isSame = one.get(i) == other.get(i) || one.get(i).equals(other.get(i));
            }
            return isSame;
        }

        boolean isTimed() {
            return !ips.approvals().isEmpty()
                    || rules.stream().anyMatch(rule -> rule.when().isTimed());
        }

        /** The largest amount that the standing rules allow at a moment. */
        BigDecimal most(Moment moment, UUID key) {
            BigDecimal most = MAX;
            for (StandingRule rule : rules) {
                Usd alone = rule.when().amountUsdAbove();
                boolean isStricter =
                        most.signum() > 0 && (alone == null || alone.value().compareTo(most) < 0);
                if (isStricter && moment.isIn(rule.when())) {
                    BigDecimal byItself = alone == null ? BigDecimal.ZERO : alone.value();
                    most = most.min(byItself.max(approved(rule.id(), rule.effect(), moment, key)));
                }
            }
            return most;
        }

        /** The largest amount that approvals let pass of which nothing is used; 0 for none. */
        BigDecimal approved(String id, Effect effect, Moment moment, UUID key) {
            BigDecimal most = BigDecimal.ZERO;
            if (effect == Effect.REQUIRE_APPROVAL && !ips.approvals().isEmpty()) {
                for (Approval approval : ips.approvals(key, moment.at())) {
                    Usd max = ApprovalUse.nothing(approval).largest();
                    most = approval.isAbout(id, trade) ? most.max(max == null ? MAX : max.value()) : most;
                }
            }
            return most;
        }

        List<BigDecimal> approved(Moment moment, UUID key) {
            if (ips.approvals().isEmpty()) {
                return unapproved;
            }
            return limits.stream()
                    .map(limit -> approved(limit.id(), limit.effect(), moment, key))
                    .toList();
        }
    }

    /** The bounds of amounts at some moments, which are all alike if these are. */
    private record Bounds(
            BigDecimal blocked,
            BigDecimal allowed,
            List<BigDecimal> approvedByBlocking,
            List<BigDecimal> approvedByAllowing) {}

    /** Amounts above one and at most another, and the limits that hold for them. */
    private record Amounts(
            Moment moment,
            BigDecimal above,
            BigDecimal most,
            BigDecimal blocked,
            List<Limit> blocking,
            List<Limit> allowing) {}

    /**
     * Why a trade may be blocked.
     *
     * @param row the inequality that it violates; null for another reason
     * @param isLoss whether the inequality is that of the drawdown or of a loss
     * @param limit the loss or flow that is the reason; otherwise null
     * @param trades what the flow has counted
     * @param isOfUsd whether the flow blocks because of its USD
     * @param within the most USD of the flow that the other statement allows; null for any
     * @param above the amount must be above this
     */
    record Reason(
            @Nullable Inequality row,
            boolean isLoss,
            @Nullable Limit limit,
            long trades,
            boolean isOfUsd,
            @Nullable Usd within,
            BigDecimal above) {
        static final Reason ANY = new Reason(null, false, null, 0, false, null, BigDecimal.ZERO);

        static Reason of(Inequality row) {
            return new Reason(row, false, null, 0, false, null, BigDecimal.ZERO);
        }

        static Reason loss(Inequality row, @Nullable Limit limit) {
            return new Reason(row, true, limit, 0, false, null, BigDecimal.ZERO);
        }

        static Reason flow(Limit limit, long trades, boolean isOfUsd, @Nullable Usd within, BigDecimal above) {
            return new Reason(null, false, limit, trades, isOfUsd, within, above);
        }

        /** Amounts that standing rules block. */
        static Reason above(BigDecimal amount) {
            return new Reason(null, false, null, 0, false, null, amount);
        }

        boolean isStanding() {
            return row == null && limit == null;
        }

        @Nullable
        Limit flow() {
            return isLoss ? null : limit;
        }
    }

    /** How a peak above the total is taken: none, one that was so many days ago, or one that frees a sell. */
    private record Peak(boolean isAbove, int daysAgo, boolean isFreeing) {
        static final Peak NONE = new Peak(false, 0, false);
    }

    /** The trades of one action by one key with one sort of asset. */
    final class Cell {
        private final AssetCase asset;
        private final UUID key;
        private final Stance blocks;
        private final Stance allows;
        private final List<When> scopes = new ArrayList<>();
        private final boolean isBuy;
        private final TradeCone cone;

        Cell(AssetCase asset, Action action, UUID key, Stance blocks, Stance allows) {
            this.asset = asset;
            this.key = key;
            this.isBuy = action == Action.BUY;
            this.blocks = blocks;
            this.allows = allows;
            for (Stance stance : List.of(blocks, allows)) {
                for (Limit limit : stance.limits) {
                    if (limit.kind() == LimitKind.POSITION && !limit.perAsset() && !scopes.contains(limit.scope())) {
                        scopes.add(limit.scope());
                    }
                }
            }
            List<AssetSymbol> symbols = List.of(blocks.asset.symbol(), allows.asset.symbol(), asset.symbol());
            this.cone = space.cone(action, symbols, asset.sleeve(), scopes);
        }

        AssetCase asset() {
            return asset;
        }

        UUID key() {
            return key;
        }

        TradeCone cone() {
            return cone;
        }

        /** The asset as the statement knows it that blocks the trade. */
        AssetSymbol blockedAs() {
            return blocks.asset.symbol();
        }

        boolean isBuy() {
            return isBuy;
        }

        private boolean visit(boolean isPlain, Predicate<Candidate> isEnough) {
            Map<Bounds, Moment> alike = new LinkedHashMap<>();
            boolean isTimed = blocks.isTimed() || allows.isTimed();
            int rules = blocks.rules.size() + allows.rules.size();
            for (Moment moment : isTimed ? space.moments() : space.moments().subList(0, 1)) {
                space.work().use(1 + rules / RULES_PER_STEP);
                alike.putIfAbsent(
                        new Bounds(
                                blocks.isNever ? BigDecimal.ZERO : blocks.most(moment, key),
                                allows.most(moment, key),
                                blocks.approved(moment, key),
                                allows.approved(moment, key)),
                        moment);
            }
            for (Map.Entry<Bounds, Moment> entry : alike.entrySet()) {
                Bounds bounds = entry.getKey();
                TreeSet<BigDecimal> cuts = new TreeSet<>(bounds.approvedByBlocking);
                cuts.addAll(bounds.approvedByAllowing);
                cuts.add(bounds.allowed);
                BigDecimal above = BigDecimal.ZERO;
                for (BigDecimal cut : cuts) {
                    BigDecimal most = cut.min(bounds.allowed);
                    Amounts amounts = new Amounts(
                            entry.getValue(),
                            above,
                            most,
                            bounds.blocked,
                            unapproved(blocks.limits, bounds.approvedByBlocking, above),
                            unapproved(allows.limits, bounds.approvedByAllowing, above));
                    if (visit(amounts, isPlain, isEnough)) {
                        return true;
                    }
                    above = above.max(most);
                }
            }
            return false;
        }

        private static List<Limit> unapproved(List<Limit> limits, List<BigDecimal> approved, BigDecimal above) {
            List<Limit> unapproved = new ArrayList<>();
            for (int i = 0; i < limits.size(); i++) {
                if (approved.get(i).compareTo(above) <= 0) {
                    unapproved.add(limits.get(i));
                }
            }
            return unapproved;
        }

        private boolean visit(Amounts amounts, boolean isPlain, Predicate<Candidate> isEnough) {
            for (Reason reason : reasons(amounts)) {
                for (Peak peak : peaks(reason)) {
                    Candidate candidate = candidate(amounts, reason, peak, isPlain);
                    if (candidate != null && isEnough.test(candidate)) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** All for which trades of some amounts may be blocked. */
        private List<Reason> reasons(Amounts amounts) {
            if (blocks.isNever) {
                return List.of(Reason.ANY);
            }
            List<Reason> reasons = new ArrayList<>();
            if (amounts.blocked.compareTo(amounts.most) < 0) {
                reasons.add(Reason.above(amounts.blocked));
            }
            for (Inequality row : rows(blocking, amounts.blocking)) {
                reasons.add(Reason.of(row));
            }
            if (isBuy || blocking.maxDrawdown().compareTo(allowing.maxDrawdown()) != 0) {
                reasons.add(Reason.loss(cone().drawdown(blocking.maxDrawdown(), true), null));
            }
            for (Limit limit : amounts.blocking) {
                if (limit.kind() == LimitKind.LOSS) {
                    reasons.add(Reason.loss(cone().drawdown(limit.most(), true), limit));
                } else if (limit.isFlow()) {
                    addFlow(limit, amounts, reasons);
                }
            }
            return reasons;
        }

        /** A flow blocks because of the amount alone, of the USD or of the number of trades that it has counted. */
        private void addFlow(Limit limit, Amounts amounts, List<Reason> reasons) {
            boolean isSameAsset = blocks.asset.symbol().equals(allows.asset.symbol());
            Limit same = null;
            for (Limit other : amounts.allowing) {
                boolean isSameCount = other.isFlow()
                        && other.flow().equals(limit.flow())
                        && (isSameAsset || limit.flow().per() != Per.ASSET);
                same = isSameCount ? other : same;
            }
            Usd maxUsd = limit.maxUsd();
            Usd sameUsd = same == null ? null : same.maxUsd();
            Integer maxTrades = limit.maxTrades();
            long sameTrades = same == null || same.maxTrades() == null ? Long.MAX_VALUE : same.maxTrades();
            if (maxUsd != null) {
                reasons.add(Reason.flow(limit, 0, true, sameUsd, maxUsd.value()));
                if (sameTrades > 1 && (sameUsd == null || sameUsd.isAbove(maxUsd))) {
                    reasons.add(Reason.flow(limit, 1, true, sameUsd, BigDecimal.ZERO));
                }
            }
            if (maxTrades != null && sameTrades > maxTrades) {
                reasons.add(Reason.flow(limit, maxTrades, false, sameUsd, BigDecimal.ZERO));
            }
        }

        /** The inequalities of a statement but for its drawdown and losses, and for one of them. */
        private List<Inequality> rows(Ips ips, List<Limit> limits) {
            List<Inequality> rows = new ArrayList<>(List.of(cone().slippage(ips), cone().band(ips)));
            if (isBuy) {
                rows.add(cone().floor(ips));
            }
            for (Limit limit : limits) {
                if (limit.kind() == LimitKind.POSITION) {
                    rows.add(cone().position(limit, scopes));
                }
            }
            return rows;
        }

        /** The drawdown and the losses of a statement. */
        private List<Inequality> losses(Ips ips, List<Limit> limits, Peak peak) {
            List<Inequality> rows = new ArrayList<>();
            rows.add(peak.isFreeing ? cone().beyond(ips.maxDrawdown()) : cone().drawdown(ips.maxDrawdown(), true));
            for (Limit limit : limits) {
                Integer days = limit.windowDays();
                if (days != null) {
                    rows.add(cone().drawdown(limit.most(), days > peak.daysAgo));
                }
            }
            return rows;
        }

        private List<Peak> peaks(Reason reason) {
            if (!isBuy) {
                return List.of(new Peak(reason.isLoss, 0, false), new Peak(true, 0, true));
            }
            if (!reason.isLoss) {
                return List.of(Peak.NONE);
            }
            int daysAgo = reason.limit == null
                    ? Limit.MAX_WINDOW_DAYS
                    : Objects.requireNonNull(reason.limit.windowDays()) - 1;
            return daysAgo == 0
                    ? List.of(new Peak(true, 0, false))
                    : List.of(new Peak(true, 0, false), new Peak(true, daysAgo, false));
        }

        /** The trades that are blocked for a reason and allowed by the other statement; null when there are none. */
        private @Nullable Candidate candidate(Amounts amounts, Reason reason, Peak peak, boolean isPlain) {
            BigDecimal above = amounts.above.max(reason.above);
            BigDecimal most = amounts.most.min(leastOfFlows(amounts.allowing, null));
            if (isPlain && !blocks.isNever) {
                most = most.min(leastOfFlows(amounts.blocking, reason.limit));
                most = reason.isStanding() ? most : most.min(amounts.blocked);
            }
            if (!hasCents(above, most)) {
                return null;
            }
            List<Inequality> rows = rows(allowing, amounts.allowing);
            rows.addAll(losses(allowing, amounts.allowing, peak));
            Inequality violated = reason.row;
            if (violated != null && rows.stream().anyMatch(violated::follows)) {
                return null;
            }
            if (isPlain) {
                List<Inequality> others = rows(blocking, amounts.blocking);
                if (isBuy || !reason.isLoss) {
                    others.addAll(losses(blocking, amounts.blocking, peak));
                }
                others.remove(violated);
                others.removeAll(rows);
                rows.addAll(others);
            }
            if (violated != null) {
                rows.add(violated.negated());
            }
            if (violated != null && reason.isLoss && !isBuy) {
                rows.add(cone().beyond(blocking.maxDrawdown()).negated());
            }
            rows.add(cone().sum(LOST, ARRIVING).strict());
            if (!peak.isAbove) {
                rows.add(cone().none(PEAK));
            }
            if (!asset.isHeld()) {
                rows.add(cone().none(ASSET));
            }
            LinearSystem system =
                    separated(LinearSystem.of(cone().variables(), space.work()).and(rows), cone().exclusive());
            return system == null
                    ? null
                    : new Candidate(this, amounts.moment, system, above, most, reason, peak.daysAgo);
        }

        /** A system in which one asset is not held in both sleeves; null when there is no solution. */
        private @Nullable LinearSystem separated(LinearSystem system, List<int[]> exclusive) {
            if (!space.isSolvable(system)) {
                return null;
            }
            if (exclusive.isEmpty()) {
                return system;
            }
            List<int[]> rest = exclusive.subList(1, exclusive.size());
            LinearSystem first = separated(system.and(cone().none(exclusive.get(0)[0])), rest);
            return first != null
                    ? first
                    : separated(system.and(cone().none(exclusive.get(0)[1])), rest);
        }

        /** The least maximum of flows that have counted nothing. */
        private static BigDecimal leastOfFlows(List<Limit> limits, @Nullable Limit but) {
            BigDecimal least = MAX;
            for (Limit limit : limits) {
                Usd max = limit.equals(but) ? null : limit.maxUsd();
                least = max == null ? least : least.min(max.value());
            }
            return least;
        }
    }
}
