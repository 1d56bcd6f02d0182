package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.ComparisonSearch.Stance;
import dev.agentpolicy.domain.compare.LinearSystem.Work;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The trades that two statements can tell apart: one asset, key and moment of each sort that both treat alike.
 *
 * <p>An asset is represented by up to three of its sort, because a portfolio may hold others of the sort beside it.
 */
final class TradeSpace {
    private static final Duration HORIZON = Duration.ofDays(400);
    private static final int MAX_MOMENTS = 20_000;
    private static final int MEMBERS = 3;
    /** What resolving an asset takes, in steps of a search. */
    private static final int STANCE_STEPS = 50;

    private static final long HOUR = 3600;
    private static final int DAY_HOURS = 24;
    private static final int WEEK_HOURS = 168;
    /** 1970-01-01 was a Thursday. */
    private static final int FIRST_DAY = 3;

    /** The assets of the directory by their place in it. */
    private static final Map<AssetSymbol, Integer> ORDER = new LinkedHashMap<>();

    static {
        AssetDirectory.builtIn().entries().forEach(entry -> ORDER.put(entry.symbol(), ORDER.size()));
    }

    private final @Nullable Portfolio known;
    private final List<AssetCase> assets = new ArrayList<>();
    private final List<OtherAsset> others = new ArrayList<>();
    private final List<UUID> keys;
    private final List<Moment> moments;
    private final Work work;
    private final Map<List<LinearSystem.Inequality>, Boolean> solved = new HashMap<>();
    /** By the statement itself, since two that are equal take long to compare. */
    private final IdentityHashMap<Ips, Map<StanceOf, Stance>> stances = new IdentityHashMap<>();

    private final Map<ConeOf, TradeCone> cones = new HashMap<>();

    /**
     * @param known the holdings whose assets are known; null for none
     * @param now the first instant; the last one is 400 days later
     */
    TradeSpace(Ips from, Ips to, @Nullable Portfolio known, Instant now, Work work) {
        this.known = known;
        this.work = work;
        List<Approval> approvals = new ArrayList<>(from.approvals());
        approvals.addAll(to.approvals());
        Set<UUID> ids = new LinkedHashSet<>();
        UUID other = new UUID(0, 0);
        approvals.forEach(approval -> ids.add(approval.agentKeyId() == null ? other : approval.agentKeyId()));
        ids.add(other);
        this.keys = List.copyOf(ids);
        List<When> timed = new ArrayList<>();
        for (StandingRule rule : rules(from, to)) {
            if (rule.when().isTimed()) {
                timed.add(rule.when());
            }
        }
        TreeSet<Instant> ends = new TreeSet<>();
        approvals.forEach(approval -> ends.add(approval.until()));
        this.moments = moments(timed, ends, now, work);
        addAssets(from, to);
    }

    private static List<StandingRule> rules(Ips from, Ips to) {
        List<StandingRule> rules = new ArrayList<>(from.standingRules());
        rules.addAll(to.standingRules());
        return rules;
    }

    List<AssetCase> assets() {
        return assets;
    }

    List<UUID> keys() {
        return keys;
    }

    List<Moment> moments() {
        return moments;
    }

    /** Other assets that a portfolio may hold. */
    List<OtherAsset> others() {
        return others;
    }

    Work work() {
        return work;
    }

    boolean isSolvable(LinearSystem system) {
        return solved.computeIfAbsent(system.rows(), rows -> system.isSolvable());
    }

    private record StanceOf(AssetCase asset, Action action) {}

    /** What a statement says about trades, computed once until it is forgotten. */
    Stance stance(Ips ips, AssetCase asset, Action action) {
        return stances.computeIfAbsent(ips, it -> new HashMap<>()).computeIfAbsent(new StanceOf(asset, action), of -> {
            work.use(STANCE_STEPS + ips.standingRules().size() + ips.limits().size());
            return new Stance(ips, resolve(asset, ips), asset, action);
        });
    }

    /** Forgets what a statement says that is not compared again. */
    void forget(Ips ips) {
        stances.remove(ips);
    }

    private record ConeOf(Action action, Set<AssetSymbol> asset, AssetType sleeve, List<When> scopes) {}

    /** The conditions of portfolios, computed once. */
    TradeCone cone(Action action, List<AssetSymbol> asset, AssetType sleeve, List<When> scopes) {
        return cones.computeIfAbsent(new ConeOf(action, Set.copyOf(asset), sleeve, List.copyOf(scopes)), of -> {
            work.use((1L + scopes.size()) * others.size());
            return new TradeCone(action, asset, sleeve, scopes, others);
        });
    }

    /** How a statement resolves the asset of a trade. */
    ResolvedAsset resolve(AssetCase asset, Ips ips) {
        List<Trade> held =
                asset.isHeld ? List.of(new Trade(Action.BUY, asset.symbol, asset.sleeve, Usd.ZERO, null)) : List.of();
        return new AssetResolver(AssetDirectory.builtIn(), new KnownAssets(known, ips, held))
                .resolve(asset.symbol, asset.sleeve, asset.symbol.value())
                .under(ips.unknownAssets());
    }

    /**
     * The asset of a trade.
     *
     * @param symbol as it is sent
     * @param sleeve in the call
     * @param isHeld whether the portfolio holds it, at least with a value of 0; false only for unknown assets
     */
    record AssetCase(AssetSymbol symbol, AssetType sleeve, boolean isHeld) {}

    /**
     * An asset that a portfolio may hold.
     *
     * @param isFree whether it may be held in the other sleeve instead
     */
    record OtherAsset(AssetSymbol symbol, AssetType sleeve, boolean isFree) {}

    /**
     * An instant that stands for all with the same hours and days in all time zones of the rules.
     *
     * @param hours of the week by time zone
     */
    record Moment(Instant at, Map<ZoneId, Integer> hours) {
        boolean isIn(When when) {
            Integer hour = hours.get(when.zone());
            return !when.isTimed() || hour != null && isIn(when, hour);
        }

        private static boolean isIn(When when, int hour) {
            return when.isAt(DayOfWeek.of(hour / DAY_HOURS + 1), hour % DAY_HOURS);
        }
    }

    // Assets

    @SuppressWarnings("EnumOrdinal") // Only the place of a mark among those of one comparison.
    private void addAssets(Ips from, Ips to) {
        Map<AssetSymbol, BitSet> marks = new TreeMap<>();
        int mark = 0;
        for (Ips ips : List.of(from, to)) {
            for (Map.Entry<AssetSymbol, Level> level :
                    ips.assetAuthority().assets().entrySet()) {
                mark(marks, level.getKey(), mark + level.getValue().ordinal());
            }
            mark += Level.values().length;
            for (When when : scopes(ips)) {
                for (AssetSymbol symbol : when.symbols() == null ? Set.<AssetSymbol>of() : when.symbols()) {
                    mark(marks, symbol, mark);
                }
                mark++;
            }
            for (Approval approval : ips.approvals()) {
                if (approval.symbol() != null) {
                    mark(marks, approval.symbol(), mark);
                }
                mark++;
            }
        }
        for (AssetType sleeve : AssetType.values()) {
            ORDER.keySet().stream()
                    .filter(symbol -> known(symbol) == sleeve && !marks.containsKey(symbol))
                    .limit(MEMBERS)
                    .toList()
                    .forEach(symbol -> marks.put(symbol, new BitSet()));
        }
        for (int i = 1; i <= MEMBERS; i++) {
            marks.putIfAbsent(new AssetSymbol("UNLISTED" + i), new BitSet());
        }
        List<AssetSymbol> inOrder = new ArrayList<>(marks.keySet());
        inOrder.sort(Comparator.comparing(symbol -> ORDER.getOrDefault(symbol, Integer.MAX_VALUE)));
        Map<List<Object>, Integer> sorts = new HashMap<>();
        for (AssetSymbol symbol : inOrder) {
            AssetType sleeve = known(symbol);
            boolean isItself = sleeve != null || isItself(symbol, from) && isItself(symbol, to);
            BitSet marked = marks.getOrDefault(symbol, new BitSet());
            List<Object> sort = List.of(marked, sleeve == null ? "" : sleeve, isItself ? "" : symbol);
            add(symbol, sleeve, sorts.merge(sort, 1, Integer::sum));
        }
    }

    private static void mark(Map<AssetSymbol, BitSet> marks, AssetSymbol symbol, int mark) {
        marks.computeIfAbsent(symbol, it -> new BitSet()).set(mark);
    }

    private void add(AssetSymbol symbol, @Nullable AssetType sleeve, int member) {
        if (member > MEMBERS) {
            return;
        }
        for (AssetType type : sleeve == null ? AssetType.values() : new AssetType[] {sleeve}) {
            others.add(new OtherAsset(symbol, type, sleeve == null));
            if (member > 1) {
                continue;
            }
            if (sleeve == null) {
                assets.add(new AssetCase(symbol, type, false));
            }
            assets.add(new AssetCase(symbol, type, true));
            if (sleeve == null) {
                addPairs(symbol, type);
            }
        }
    }

    /** A statement that names an unknown asset takes its pairs in dollars for it, and refuses its derivatives. */
    private void addPairs(AssetSymbol symbol, AssetType type) {
        for (String ending : List.of("USD", "-PERP")) {
            AssetSymbol pair = AssetSymbol.of(symbol.value() + ending);
            if (pair != null) {
                assets.add(new AssetCase(pair, type, false));
            }
        }
    }

    private @Nullable AssetType known(AssetSymbol symbol) {
        AssetType held = known == null ? null : known.heldIn(symbol);
        AssetType listed = known == null || held != null ? held : known.listedIn(symbol);
        Entry entry = AssetDirectory.builtIn().find(symbol);
        return listed == null && entry != null && entry.symbol().equals(symbol) ? entry.assetType() : listed;
    }

    private boolean isItself(AssetSymbol symbol, Ips ips) {
        ResolvedAsset resolved = resolve(new AssetCase(symbol, AssetType.CRYPTO, false), ips);
        return resolved.symbol().equals(symbol) && resolved.pair() == null;
    }

    private static List<When> scopes(Ips ips) {
        List<When> scopes = new ArrayList<>();
        ips.standingRules().forEach(rule -> scopes.add(rule.when()));
        for (Limit limit : ips.limits()) {
            scopes.add(limit.scope());
        }
        return scopes;
    }

    // Moments

    /** One moment for each combination of hours and days that conditions and ends of approvals tell apart. */
    private static List<Moment> moments(List<When> timed, NavigableSet<Instant> ends, Instant now, Work work) {
        Map<ZoneId, Clock> clocks = new LinkedHashMap<>();
        for (When when : timed) {
            clocks.computeIfAbsent(when.zone(), Clock::new).add(when);
        }
        Map<List<Integer>, Moment> moments = new LinkedHashMap<>();
        long end = now.plus(HORIZON).getEpochSecond();
        Instant at = now;
        while (at.getEpochSecond() < end) {
            Instant time = at;
            Map<ZoneId, Integer> hours = new HashMap<>();
            List<Integer> sort = new ArrayList<>();
            sort.add(ends.headSet(at, true).size());
            long next = clocks.isEmpty() ? end : Long.MAX_VALUE;
            for (Clock clock : clocks.values()) {
                int hour = clock.hour(at.getEpochSecond());
                sort.add(clock.sorts[hour]);
                hours.put(clock.zone, hour);
                next = Math.min(next, clock.next(at.getEpochSecond()));
            }
            moments.computeIfAbsent(sort, it -> new Moment(time, hours));
            Instant until = ends.higher(at);
            Instant cut = Instant.ofEpochSecond(next);
            at = until == null || cut.isBefore(until) ? cut : until;
            work.use(1 + clocks.size());
            if (moments.size() > MAX_MOMENTS) {
                throw new LinearSystem.TooMuchWork();
            }
        }
        return List.copyOf(moments.values());
    }

    /** The hours of the week in a time zone, which moves forward in time. */
    private static final class Clock {
        private final ZoneId zone;
        private final List<When> conditions = new ArrayList<>();
        private final int[] sorts = new int[WEEK_HOURS];
        private long offset;
        /** The second until which the offset holds. */
        private long end = Long.MIN_VALUE;

        Clock(ZoneId zone) {
            this.zone = zone;
        }

        void add(When when) {
            conditions.add(when);
            Map<BitSet, Integer> seen = new HashMap<>();
            for (int hour = 0; hour < WEEK_HOURS; hour++) {
                BitSet holds = new BitSet();
                for (int i = 0; i < conditions.size(); i++) {
                    holds.set(i, Moment.isIn(conditions.get(i), hour));
                }
                sorts[hour] = seen.computeIfAbsent(holds, it -> seen.size());
            }
        }

        int hour(long second) {
            if (second >= end) {
                Instant at = Instant.ofEpochSecond(second);
                ZoneOffset current = zone.getRules().getOffset(at);
                ZoneOffsetTransition transition = zone.getRules().nextTransition(at);
                offset = current.getTotalSeconds();
                end = transition == null ? Long.MAX_VALUE : transition.toEpochSecond();
            }
            long hours = Math.floorDiv(second + offset, HOUR) + FIRST_DAY * DAY_HOURS;
            return (int) Math.floorMod(hours, (long) WEEK_HOURS);
        }

        long next(long second) {
            return Math.min(end, second + HOUR - Math.floorMod(second + offset, HOUR));
        }
    }
}
