package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AccountAssets;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The input of one decision in whole numbers and words, for evaluators that share no code with the service: USD in
 * units of 1e-8 and fractions in millionths, -1 for none; slippage in units of 1e-18 percent and the peak in units of
 * 1e-12 USD, null for none.
 */
final class RandomCase {
    static final long USD = 100_000_000L;
    static final long WHOLE = 1_000_000L;
    /** Units of slippage in a millionth of the whole. */
    static final BigInteger SLIPPAGE_IN_A_MILLIONTH = BigInteger.TEN.pow(14);
    /** Units of the peak in a unit of USD. */
    static final BigInteger PEAK_IN_A_UNIT = BigInteger.TEN.pow(4);

    private static final int SLIPPAGE_PLACES = 18;
    private static final int PEAK_PLACES = 12;

    boolean buy;
    boolean crypto;
    String symbol;
    String sent;
    String heldAs;
    String listedAs;
    boolean blocksUnknown;
    long amount;
    BigInteger slippage;

    boolean hasIps;
    long[] cryptoBand;
    long[] tradfiBand;
    long cashFloor;
    long maxDrawdown;
    long maxSlippage;
    boolean buyAllowed;
    boolean sellAllowed;
    String standardLevel;
    Map<String, String> levels = Map.of();
    List<Standing> rules = new ArrayList<>();
    List<Bound> limits = new ArrayList<>();

    boolean hasSnapshot;
    long cryptoValue;
    long tradfiValue;
    long cash;
    BigInteger peak;
    long held;

    long callCap;
    long usdCap;
    long aumCap;
    Set<String> keyAssets;
    Set<String> keySleeves;
    long usedCalls;
    long usedUsd;
    long usedAum;
    Instant now;

    /** A standing rule; -1 and an absent list match everything. */
    record Standing(
            String id,
            boolean blocks,
            Map<ListCondition, Set<String>> lists,
            long above,
            int start,
            int end,
            String tz) {

        /** A rule that matches every trade. */
        static Standing always(String id, boolean blocks) {
            return new Standing(id, blocks, Map.of(), -1, -1, -1, "UTC");
        }

        Standing without(ListCondition list) {
            Map<ListCondition, Set<String>> others = new HashMap<>(lists);
            others.remove(list);
            return new Standing(id, blocks, others, above, start, end, tz);
        }

        /** Null matches everything. */
        private <T> Set<T> list(ListCondition list, Function<String, T> meaning) {
            Set<String> words = lists.get(list);
            return words == null ? null : words.stream().map(meaning).collect(Collectors.toSet());
        }
    }

    /**
     * A limit and what it is compared with; -1 for no maximum, and an absent list matches everything.
     *
     * @param kind position, flow or loss
     * @param max in millionths, of a position or a loss
     * @param maxUsd of a flow
     * @param maxTrades of a flow
     * @param usd held of a position, or what a flow has counted
     * @param trades what a flow has counted
     * @param peak of a loss, in the unit of the peak; at least the total
     */
    record Bound(
            String id,
            String kind,
            boolean blocks,
            Map<ListCondition, Set<String>> lists,
            long max,
            long maxUsd,
            long maxTrades,
            long usd,
            long trades,
            BigInteger peak) {

        private Limit limit() {
            Standing conditions = new Standing(id, blocks, lists, -1, -1, -1, "UTC");
            When scope = rule(conditions).when();
            boolean isFlow = kind.equals("flow");
            return new Limit(
                    id,
                    Limit.LimitKind.valueOf(kind.toUpperCase(Locale.ROOT)),
                    blocks ? Effect.BLOCK : Effect.REQUIRE_APPROVAL,
                    null,
                    scope,
                    isFlow ? null : fraction(max),
                    false,
                    isFlow ? new Limit.FlowForm(scope, 60, Limit.Per.ACCOUNT) : null,
                    maxUsd < 0 ? null : RandomCase.usd(maxUsd),
                    maxTrades < 0 ? null : (int) maxTrades,
                    kind.equals("loss") ? 1 : null);
        }

        private LimitMeasure measure() {
            return switch (kind) {
                case "flow" -> new LimitMeasure(id, RandomCase.usd(usd), trades, null, null, null);
                case "position" -> LimitMeasure.position(id, RandomCase.usd(usd));
                default -> LimitMeasure.loss(id, new Usd(new BigDecimal(peak, PEAK_PLACES)));
            };
        }
    }

    /** The slippage, 0 when none is given. */
    BigInteger slippageOrNone() {
        return slippage == null ? BigInteger.ZERO : slippage;
    }

    EvaluationContext circumstances() {
        EvaluationContext it = new EvaluationContext(
                sentTrade(),
                asset(),
                hasIps ? SampleValues.version(ips()) : null,
                hasSnapshot
                        ? Snapshot.ofCrypto(usd(cryptoValue))
                                .tradfi(usd(tradfiValue))
                                .cash(usd(cash))
                                .peak(peak())
                                .asOf(SampleValues.NOON)
                        : null,
                held < 0 ? null : usd(held),
                new KeyPolicy(
                        callCap < 0 ? null : (int) callCap,
                        usdCap < 0 ? null : usd(usdCap),
                        aumCap < 0 ? null : usd(aumCap),
                        keyAssets == null
                                ? null
                                : Set.copyOf(
                                        keyAssets.stream().map(AssetSymbol::new).toList()),
                        keySleeves == null
                                ? null
                                : keySleeves.stream().map(RandomCase::sleeve).collect(Collectors.toSet())),
                new CapUsage(usedCalls, usd(usedUsd), usd(usedAum)),
                now);
        boolean isRefused = it.asset().refuses(it.trade().assetType());
        return it.withLimits(limits.stream()
                .filter(limit -> hasIps && !isRefused && limit.limit().holds(it.trade()))
                .filter(limit -> limit.kind().equals("flow") || it.snapshot() != null)
                .map(Bound::measure)
                .toList());
    }

    /** The asset as the resolver of the service resolves it. */
    ResolvedAsset asset() {
        Trade trade = sentTrade();
        AccountAssets account = new AccountAssets() {
            @Override
            public AssetType held(AssetSymbol asset) {
                return asset.value().equals(symbol) && heldAs != null ? sleeve(heldAs) : null;
            }

            @Override
            public AssetType listed(AssetSymbol asset) {
                return asset.value().equals(symbol) && listedAs != null ? sleeve(listedAs) : null;
            }

            @Override
            public boolean isNamed(AssetSymbol asset) {
                return hasIps && isNamedInIps(asset.value());
            }
        };
        return new AssetResolver(AssetDirectory.builtIn(), account)
                .resolve(trade.asset(), trade.assetType(), sent)
                .under(hasIps && blocksUnknown ? UnknownAssets.BLOCK : UnknownAssets.AS_SAID);
    }

    boolean isNamedInIps(String asset) {
        return levels.containsKey(asset)
                || rules.stream()
                        .anyMatch(rule -> rule.lists()
                                .getOrDefault(ListCondition.SYMBOLS, Set.of())
                                .contains(asset))
                || limits.stream()
                        .anyMatch(limit -> limit.lists()
                                .getOrDefault(ListCondition.SYMBOLS, Set.of())
                                .contains(asset));
    }

    private Trade sentTrade() {
        return new Trade(
                buy ? Action.BUY : Action.SELL,
                new AssetSymbol(sent),
                crypto ? AssetType.CRYPTO : AssetType.TRADFI,
                usd(amount),
                slippage == null ? null : new Percent(new BigDecimal(slippage, SLIPPAGE_PLACES)));
    }

    private Ips ips() {
        Set<Action> actions = buyAllowed && sellAllowed
                ? Set.of(Action.BUY, Action.SELL)
                : buyAllowed ? Set.of(Action.BUY) : sellAllowed ? Set.of(Action.SELL) : Set.of();
        Map<AssetSymbol, Level> assets = new HashMap<>();
        levels.forEach(
                (asset, level) -> assets.put(new AssetSymbol(asset), Level.valueOf(level.toUpperCase(Locale.ROOT))));
        return Ips.ofCrypto(band(cryptoBand))
                .tradfi(band(tradfiBand))
                .cashFloor(fraction(cashFloor))
                .maxDrawdown(fraction(maxDrawdown))
                .maxSlippage(fraction(maxSlippage))
                .withAllowedActions(actions)
                .withAssetAuthority(new AssetAuthority(Level.valueOf(standardLevel.toUpperCase(Locale.ROOT)), assets))
                .withStandingRules(rules.stream().map(RandomCase::rule).toList())
                .withLimits(limits.stream().map(Bound::limit).toList())
                .withUnknownAssets(blocksUnknown ? UnknownAssets.BLOCK : UnknownAssets.AS_SAID);
    }

    private static StandingRule rule(Standing it) {
        When when = new When(
                it.list(ListCondition.ACTIONS, word -> Action.valueOf(word.toUpperCase(Locale.ROOT))),
                it.list(ListCondition.ASSET_TYPES, RandomCase::sleeve),
                it.list(ListCondition.SYMBOLS, AssetSymbol::new),
                it.above < 0 ? null : usd(it.above),
                it.start < 0 ? null : new Hours(it.start, it.end, ZoneId.of(it.tz)),
                it.list(ListCondition.DAYS, RandomCase::day));
        return new StandingRule(it.id, it.blocks ? Effect.BLOCK : Effect.REQUIRE_APPROVAL, null, when);
    }

    private static AssetType sleeve(String word) {
        return AssetType.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static DayOfWeek day(String word) {
        return Stream.of(DayOfWeek.values())
                .filter(day -> day.name().startsWith(word))
                .findFirst()
                .orElseThrow();
    }

    private Usd peak() {
        return new Usd(new BigDecimal(peak, PEAK_PLACES));
    }

    private static AllocationBand band(long[] edges) {
        return new AllocationBand(fraction(edges[0]), fraction(edges[1]), fraction(edges[2]));
    }

    static Usd usd(long units) {
        return new Usd(BigDecimal.valueOf(units, 8));
    }

    static Fraction fraction(long millionths) {
        return new Fraction(BigDecimal.valueOf(millionths, 6));
    }
}
