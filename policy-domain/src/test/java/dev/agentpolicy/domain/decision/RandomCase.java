package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Used;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.Samples;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One decision's input in whole numbers, so that an evaluator that knows nothing of this service can read it: USD in
 * units of 1e-8, fractions in millionths, slippage in millionths of a percent; -1 where there is nothing.
 */
final class RandomCase {
    static final long USD = 100_000_000L;
    static final long WHOLE = 1_000_000L;

    boolean buy;
    boolean crypto;
    String symbol;
    long amount;
    long slippage;

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

    boolean hasSnapshot;
    long cryptoValue;
    long tradfiValue;
    long cash;
    long peak;
    long held;

    long callCap;
    long usdCap;
    long aumCap;
    Set<String> keyAssets;
    String keySleeve;
    long usedCalls;
    long usedUsd;
    long usedAum;
    Instant now;

    /** A standing rule; null, empty or -1 is any. */
    record Standing(
            String id, boolean blocks, String action, String symbol, long above, int start, int end, String tz) {}

    Circumstances circumstances() {
        return new Circumstances(
                trade(),
                hasIps ? Samples.version(ips()) : null,
                hasSnapshot
                        ? new Snapshot(usd(cryptoValue), usd(tradfiValue), usd(cash), usd(peak), Samples.NOON)
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
                        keySleeve == null ? null : Set.of(AssetType.valueOf(keySleeve.toUpperCase(Locale.ROOT)))),
                new Used(usedCalls, usd(usedUsd), usd(usedAum)),
                now);
    }

    private Trade trade() {
        return new Trade(
                buy ? Action.BUY : Action.SELL,
                new AssetSymbol(symbol),
                crypto ? AssetType.CRYPTO : AssetType.TRADFI,
                usd(amount),
                slippage < 0 ? null : new Percent(BigDecimal.valueOf(slippage, 6)));
    }

    private Ips ips() {
        Set<Action> actions = buyAllowed && sellAllowed
                ? Set.of(Action.BUY, Action.SELL)
                : buyAllowed ? Set.of(Action.BUY) : sellAllowed ? Set.of(Action.SELL) : Set.of();
        Map<AssetSymbol, Level> assets = new HashMap<>();
        levels.forEach(
                (asset, level) -> assets.put(new AssetSymbol(asset), Level.valueOf(level.toUpperCase(Locale.ROOT))));
        return new Ips(
                band(cryptoBand),
                band(tradfiBand),
                fraction(cashFloor),
                fraction(maxDrawdown),
                fraction(maxSlippage),
                actions,
                new AssetAuthority(Level.valueOf(standardLevel.toUpperCase(Locale.ROOT)), assets),
                rules.stream().map(RandomCase::rule).toList(),
                null);
    }

    private static StandingRule rule(Standing it) {
        When when = new When(
                it.action == null ? null : Set.of(Action.valueOf(it.action.toUpperCase(Locale.ROOT))),
                null,
                it.symbol == null ? null : Set.of(new AssetSymbol(it.symbol)),
                it.above < 0 ? null : usd(it.above),
                it.start < 0 ? null : new Hours(it.start, it.end, ZoneId.of(it.tz)),
                null);
        return new StandingRule(it.id, it.blocks ? Effect.BLOCK : Effect.REQUIRE_APPROVAL, null, when);
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
