package dev.agentpolicy.domain.compare;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.compare.TradeWitness.UsedFlow;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.FlowForm;
import dev.agentpolicy.domain.ips.Limit.LimitKind;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws pairs of statements from few values, so that they often meet, and situations at their edges. */
public final class RandomPolicies {
    public static final Instant NOW = Instant.parse("2026-11-27T20:15:00Z");
    private static final List<String> SYMBOLS = List.of("BTC", "ETH", "SPY", "FOO", "BAR");
    private static final List<String> SENT =
            List.of("BTC", "ETH", "SPY", "AAPL", "FOO", "BAR", "NEW", "FOOUSD", "BAR-PERP");
    private static final List<UUID> KEYS = List.of(new UUID(0, 7), new UUID(0, 8));
    private static final List<String> ZONES = List.of("UTC", "America/New_York", "Asia/Kolkata");
    private static final List<String> AMOUNTS = List.of("0.01", "100", "100.005", "100.01", "5000", "1000000");

    private final Random random;

    public RandomPolicies(long seed) {
        this.random = new Random(seed);
    }

    /** A statement with some of its members drawn again, or another one. */
    public Ips changed(Ips from) {
        Ips other = draw();
        if (random.nextInt(4) == 0) {
            return other;
        }
        Ips to = from;
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            to = changed(to, other);
        }
        return to;
    }

    private Ips changed(Ips it, Ips other) {
        List<StandingRule> rules = new ArrayList<>(it.standingRules());
        List<Limit> limits = new ArrayList<>(it.limits());
        return switch (random.nextInt(13)) {
            case 0 -> it.withBand(AssetType.CRYPTO, other.crypto());
            case 1 -> it.withBand(AssetType.TRADFI, other.tradfi());
            case 2 -> it.withCashFloor(other.cashFloor());
            case 3 -> it.withMaxDrawdown(other.maxDrawdown());
            case 4 -> it.withMaxSlippage(other.maxSlippage());
            case 5 -> it.withAllowedActions(other.allowedActions());
            case 6 -> it.withAssetAuthority(other.assetAuthority());
            case 7 -> it.withUnknownAssets(other.unknownAssets());
            case 8 -> it.withApprovals(approvals(it.standingRules(), it.limits()));
            case 9 -> {
                if (!rules.isEmpty()) {
                    int at = random.nextInt(rules.size());
                    rules.set(at, rule(rules.get(at).id()));
                }
                yield it.withStandingRules(rules);
            }
            case 10 -> {
                if (!rules.isEmpty()) {
                    rules.remove(random.nextInt(rules.size()));
                }
                yield it.withStandingRules(rules);
            }
            case 11 -> {
                if (!limits.isEmpty()) {
                    int at = random.nextInt(limits.size());
                    limits.set(at, changed(limits.get(at)));
                }
                yield it.withLimits(distinct(limits));
            }
            default -> {
                limits.add(limit("l" + random.nextInt(1000)));
                yield it.withLimits(distinct(limits));
            }
        };
    }

    public Ips draw() {
        List<StandingRule> rules = some(3, "r", this::rule);
        List<Limit> limits = distinct(some(4, "l", this::limit));
        Map<AssetSymbol, Level> levels = new TreeMap<>();
        if (random.nextInt(2) == 0) {
            levels.put(new AssetSymbol(any(SYMBOLS)), any(List.of(Level.values())));
        }
        Level standard = random.nextInt(6) == 0 ? any(List.of(Level.values())) : Level.FULL;
        return new Ips(
                band(),
                band(),
                fraction("0", "0", "0.05", "0.1", "0.5", "1"),
                fraction("0", "0.1", "0.25", "0.3", "1"),
                fraction("0", "0.01", "0.02", "0.5", "1"),
                random.nextInt(6) == 0 ? Set.of(any(List.of(Action.values()))) : EnumSet.allOf(Action.class),
                new AssetAuthority(standard, levels),
                rules,
                limits,
                any(List.of(UnknownAssets.values())),
                random.nextInt(3) == 0 ? approvals(rules, limits) : List.of(),
                random.nextInt(20) == 0,
                null,
                null);
    }

    private static List<Limit> distinct(List<Limit> limits) {
        Set<FlowForm> forms = new HashSet<>();
        Set<String> ids = new HashSet<>();
        List<Limit> distinct = new ArrayList<>();
        for (Limit limit : limits) {
            if ((!limit.isFlow() || forms.add(limit.flow())) && ids.add(limit.id())) {
                distinct.add(limit);
            }
        }
        return distinct;
    }

    private <T> List<T> some(int below, String id, java.util.function.Function<String, T> draw) {
        List<T> some = new ArrayList<>();
        for (int i = random.nextInt(below); i > 0; i--) {
            some.add(draw.apply(id + i));
        }
        return some;
    }

    private AllocationBand band() {
        List<Fraction> edges = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            edges.add(fraction("0", "0.1", "0.2", "0.3", "0.333333", "0.6", "1", "1"));
        }
        edges.sort(null);
        return new AllocationBand(random.nextInt(3) > 0 ? Fraction.ZERO : edges.get(0), edges.get(1), edges.get(2));
    }

    private Fraction fraction(String... values) {
        return Fraction.of(any(List.of(values)));
    }

    private StandingRule rule(String id) {
        String zone = any(ZONES);
        int start = random.nextInt(24);
        When when = new When(
                orNull(() -> Set.of(any(List.of(Action.values())))),
                orNull(() -> Set.of(any(List.of(AssetType.values())))),
                orNull(this::symbols),
                orNull(() -> Usd.of(any(AMOUNTS))),
                random.nextInt(4) > 0 ? null : new Hours(start, (start + 1 + random.nextInt(23)) % 24, ZoneId.of(zone)),
                random.nextInt(4) > 0 ? null : Set.of(any(List.of(DayOfWeek.values()))));
        return new StandingRule(id, any(List.of(Effect.values())), null, when);
    }

    private Set<AssetSymbol> symbols() {
        Set<AssetSymbol> symbols = new HashSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            symbols.add(new AssetSymbol(any(SYMBOLS)));
        }
        return symbols;
    }

    private Limit limit(String id) {
        LimitKind kind = any(List.of(LimitKind.values()));
        When scope = new When(
                kind == LimitKind.POSITION ? null : orNull(() -> Set.of(any(List.of(Action.values())))),
                orNull(() -> Set.of(any(List.of(AssetType.values())))),
                orNull(this::symbols),
                null,
                null,
                null);
        boolean isFlow = kind == LimitKind.FLOW;
        FlowForm form = new FlowForm(scope, random.nextBoolean() ? 10 : 1440, any(List.of(Per.values())));
        boolean isUsd = random.nextBoolean();
        return new Limit(
                id,
                kind,
                any(List.of(Effect.values())),
                null,
                scope,
                isFlow ? null : fraction("0", "0.1", "0.2", "0.25", "0.3", "0.5", "1"),
                kind == LimitKind.POSITION && random.nextBoolean(),
                isFlow ? form : null,
                isFlow && isUsd ? Usd.of(any(AMOUNTS)) : null,
                isFlow && (!isUsd || random.nextBoolean()) ? 1 + random.nextInt(3) : null,
                kind == LimitKind.LOSS ? any(List.of(1, 7, 30)) : null);
    }

    /** Another maximum, or another limit. */
    private Limit changed(Limit it) {
        Limit other = limit(it.id());
        return other.kind() != it.kind() || random.nextInt(3) == 0
                ? other
                : new Limit(
                        it.id(),
                        it.kind(),
                        other.effect(),
                        null,
                        it.scope(),
                        other.max(),
                        other.perAsset(),
                        it.form(),
                        other.maxUsd(),
                        other.maxTrades(),
                        other.windowDays());
    }

    private List<Approval> approvals(List<StandingRule> rules, List<Limit> limits) {
        List<String> ids = new ArrayList<>();
        rules.stream().filter(it -> it.effect() == Effect.REQUIRE_APPROVAL).forEach(it -> ids.add(it.id()));
        limits.stream().filter(it -> it.effect() == Effect.REQUIRE_APPROVAL).forEach(it -> ids.add(it.id()));
        List<Approval> approvals = new ArrayList<>();
        for (String id : ids) {
            approvals.add(new Approval(
                    id,
                    orNull(() -> any(KEYS)),
                    orNull(() -> any(List.of(Action.values()))),
                    orNull(() -> new AssetSymbol(any(SYMBOLS))),
                    orNull(() -> Usd.of(any(AMOUNTS))),
                    NOW.plus(Duration.ofHours(1 + random.nextInt(200))),
                    null,
                    null));
        }
        return approvals;
    }

    private <T> @Nullable T orNull(Supplier<T> value) {
        return random.nextInt(3) > 0 ? null : value.get();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** A situation with round shares, a peak at one of the maxima, and any moment, key and count. */
    Situation situation(Ips from, Ips to) {
        AssetSymbol symbol = new AssetSymbol(any(SENT));
        AssetType sleeve = sleeve(symbol);
        List<Position> positions = new ArrayList<>();
        Set<String> held = new HashSet<>();
        BigDecimal left = BigDecimal.valueOf(20);
        for (int i = random.nextInt(4); i >= 0 && left.signum() > 0; i--) {
            String name = i == 0 && random.nextInt(3) > 0 ? symbol.value() : any(SENT);
            BigDecimal share = random.nextInt(12) == 0
                    ? BigDecimal.valueOf(random.nextInt(1000), 2).min(left)
                    : BigDecimal.valueOf(random.nextInt(left.intValue() + 1));
            if (held.add(name)) {
                AssetSymbol other = new AssetSymbol(name);
                AssetType type = name.equals(symbol.value()) ? sleeve : sleeve(other);
                positions.add(new Position(other, type, share, Usd.of(50)));
                left = left.subtract(share);
            }
        }
        Usd cash = new Usd(left.multiply(BigDecimal.valueOf(50)));
        Usd total = Usd.of(1000);
        Ips one = random.nextBoolean() ? from : to;
        BigDecimal drawdown = random.nextInt(3) == 0 || one.limits().isEmpty()
                ? one.maxDrawdown().value()
                : java.util.Objects.requireNonNullElse(any(one.limits()).max(), Fraction.ZERO)
                        .value();
        BigDecimal kept = BigDecimal.ONE.subtract(drawdown);
        BigDecimal atMax =
                kept.signum() == 0 ? BigDecimal.valueOf(2000) : total.value().divide(kept, 20, RoundingMode.UP);
        Usd peak = random.nextInt(3) > 0
                ? null
                : new Usd(random.nextBoolean() ? atMax : atMax.add(BigDecimal.valueOf(random.nextInt(300) - 20)));
        peak = peak == null || !peak.isAbove(total) ? null : peak;
        BigDecimal slippage = BigDecimal.valueOf(any(List.of(0, 0, 0, 1, 2, 15, 50, 100)));
        return new Situation(
                new Trade(any(List.of(Action.values())), symbol, sleeve, Usd.ZERO, new Percent(slippage)),
                cash,
                positions,
                peak,
                peak == null ? 0 : any(List.of(0, 0, 5, 6, 29, 30)),
                used(from, to),
                random.nextBoolean() ? null : any(KEYS),
                NOW.plusSeconds((long) (random.nextDouble() * (random.nextBoolean() ? 400 : 10) * 86_400)));
    }

    private AssetType sleeve(AssetSymbol symbol) {
        AssetDirectory.Entry entry = AssetDirectory.builtIn().find(symbol);
        return entry == null ? any(List.of(AssetType.values())) : entry.assetType();
    }

    private @Nullable UsedFlow used(Ips from, Ips to) {
        List<Limit> flows = new ArrayList<>();
        from.limits().stream().filter(Limit::isFlow).forEach(flows::add);
        to.limits().stream().filter(Limit::isFlow).forEach(flows::add);
        if (flows.isEmpty() || random.nextInt(3) == 0) {
            return null;
        }
        Limit flow = any(flows);
        Limit other = any(flows);
        Usd max = other.maxUsd() == null ? Usd.of(any(AMOUNTS)) : other.maxUsd();
        Usd usd = random.nextBoolean() ? max : max.minus(Usd.of(any(AMOUNTS))).max(Usd.ZERO);
        AssetSymbol counted =
                flow.flow().per() == Per.ASSET && random.nextBoolean() ? new AssetSymbol(any(SENT)) : null;
        return new UsedFlow(flow.id(), flow.flow(), counted, usd, 1 + random.nextInt(4));
    }
}
