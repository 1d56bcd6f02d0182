package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An investment policy statement (docs/reference/ips.md). Immutable: every change is a new version.
 *
 * <p>A new statement allows everything within its bands and limits; {@code with} methods add the rest:
 *
 * <pre>{@code
 * Ips.ofCrypto("0.10", "0.20", "0.35")
 *         .tradfi("0.55", "0.65", "0.80")
 *         .cashFloor("0.05")
 *         .maxDrawdown("0.25")
 *         .maxSlippage("0.01")
 *         .withUnknownAssets(UnknownAssets.BLOCK)
 * }</pre>
 */
public final class Ips {
    private final AllocationBand crypto;
    private final AllocationBand tradfi;
    private final Fraction cashFloor;
    private final Fraction maxDrawdown;
    private final Fraction maxSlippage;
    private final Set<Action> allowedActions;
    private final AssetAuthority assetAuthority;
    private final List<StandingRule> standingRules;
    private final UnknownAssets unknownAssets;
    private final List<Approval> approvals;
    private final boolean isPaused;
    private final @Nullable Instant drawdownSince;
    private final @Nullable Integer tier;

    private Ips(
            AllocationBand crypto,
            AllocationBand tradfi,
            Fraction cashFloor,
            Fraction maxDrawdown,
            Fraction maxSlippage,
            Set<Action> allowedActions,
            AssetAuthority assetAuthority,
            List<StandingRule> standingRules,
            UnknownAssets unknownAssets,
            List<Approval> approvals,
            boolean isPaused,
            @Nullable Instant drawdownSince,
            @Nullable Integer tier) {
        this.crypto = crypto;
        this.tradfi = tradfi;
        this.cashFloor = cashFloor;
        this.maxDrawdown = maxDrawdown;
        this.maxSlippage = maxSlippage;
        this.allowedActions = Set.copyOf(allowedActions);
        this.assetAuthority = assetAuthority;
        this.standingRules = List.copyOf(standingRules);
        this.unknownAssets = unknownAssets;
        this.approvals = List.copyOf(approvals);
        this.isPaused = isPaused;
        this.drawdownSince = drawdownSince;
        this.tier = tier;
    }

    /** Begins a statement with the band of the crypto sleeve. */
    public static WithCrypto ofCrypto(AllocationBand crypto) {
        return tradfi -> cashFloor -> maxDrawdown -> maxSlippage -> new Ips(
                crypto,
                tradfi,
                cashFloor,
                maxDrawdown,
                maxSlippage,
                EnumSet.allOf(Action.class),
                AssetAuthority.FULL,
                List.of(),
                UnknownAssets.AS_SAID,
                List.of(),
                false,
                null,
                null);
    }

    /** Begins a statement with the band of the crypto sleeve, in fractions of the total value. */
    public static WithCrypto ofCrypto(String min, String target, String max) {
        return ofCrypto(AllocationBand.of(min, target, max));
    }

    /** A statement that needs the band of the tradfi sleeve next. */
    @FunctionalInterface
    public interface WithCrypto {
        WithBands tradfi(AllocationBand band);

        default WithBands tradfi(String min, String target, String max) {
            return tradfi(AllocationBand.of(min, target, max));
        }
    }

    /** A statement that needs its cash floor next. */
    @FunctionalInterface
    public interface WithBands {
        WithCashFloor cashFloor(Fraction min);

        default WithCashFloor cashFloor(String min) {
            return cashFloor(Fraction.of(min));
        }
    }

    /** A statement that needs its maximum drawdown next. */
    @FunctionalInterface
    public interface WithCashFloor {
        WithMaxDrawdown maxDrawdown(Fraction max);

        default WithMaxDrawdown maxDrawdown(String max) {
            return maxDrawdown(Fraction.of(max));
        }
    }

    /** A statement that needs its maximum slippage to be complete. */
    @FunctionalInterface
    public interface WithMaxDrawdown {
        Ips maxSlippage(Fraction max);

        default Ips maxSlippage(String max) {
            return maxSlippage(Fraction.of(max));
        }
    }

    /** This statement with other allowed actions. */
    public Ips withAllowedActions(Set<Action> actions) {
        return with(actions, assetAuthority, standingRules, unknownAssets, approvals, isPaused, drawdownSince, tier);
    }

    /** This statement with other authority levels. */
    public Ips withAssetAuthority(AssetAuthority authority) {
        return with(allowedActions, authority, standingRules, unknownAssets, approvals, isPaused, drawdownSince, tier);
    }

    /** This statement with other standing rules. */
    public Ips withStandingRules(List<StandingRule> rules) {
        return with(allowedActions, assetAuthority, rules, unknownAssets, approvals, isPaused, drawdownSince, tier);
    }

    /** This statement with another treatment of unknown assets. */
    public Ips withUnknownAssets(UnknownAssets treatment) {
        return with(allowedActions, assetAuthority, standingRules, treatment, approvals, isPaused, drawdownSince, tier);
    }

    /** This statement with another tier. */
    public Ips withTier(@Nullable Integer number) {
        return with(
                allowedActions,
                assetAuthority,
                standingRules,
                unknownAssets,
                approvals,
                isPaused,
                drawdownSince,
                number);
    }

    /** This statement with other approvals. */
    public Ips withApprovals(List<Approval> approved) {
        return with(
                allowedActions, assetAuthority, standingRules, unknownAssets, approved, isPaused, drawdownSince, tier);
    }

    /** This statement, pausing all agents or not. */
    public Ips withPaused(boolean pauses) {
        return with(
                allowedActions, assetAuthority, standingRules, unknownAssets, approvals, pauses, drawdownSince, tier);
    }

    /** This statement, counting the drawdown since another time. */
    public Ips withDrawdownSince(@Nullable Instant time) {
        return with(allowedActions, assetAuthority, standingRules, unknownAssets, approvals, isPaused, time, tier);
    }

    private Ips with(
            Set<Action> actions,
            AssetAuthority authority,
            List<StandingRule> rules,
            UnknownAssets treatment,
            List<Approval> approved,
            boolean pauses,
            @Nullable Instant since,
            @Nullable Integer number) {
        return new Ips(
                crypto,
                tradfi,
                cashFloor,
                maxDrawdown,
                maxSlippage,
                actions,
                authority,
                rules,
                treatment,
                approved,
                pauses,
                since,
                number);
    }

    /** The band of the crypto sleeve. */
    public AllocationBand crypto() {
        return crypto;
    }

    /** The band of the tradfi sleeve. */
    public AllocationBand tradfi() {
        return tradfi;
    }

    /** The band of a sleeve. */
    public AllocationBand band(AssetType sleeve) {
        return sleeve == AssetType.CRYPTO ? crypto : tradfi;
    }

    /** The least fraction of the portfolio that must stay in cash. */
    public Fraction cashFloor() {
        return cashFloor;
    }

    /** How far the portfolio may be below its peak, as a fraction of the peak. */
    public Fraction maxDrawdown() {
        return maxDrawdown;
    }

    /** The most slippage a trade may expect, as a fraction of its amount. */
    public Fraction maxSlippage() {
        return maxSlippage;
    }

    /** The actions that agents may take; an empty set pauses all trading. */
    public Set<Action> allowedActions() {
        return allowedActions;
    }

    /** What agents may do with each asset. */
    public AssetAuthority assetAuthority() {
        return assetAuthority;
    }

    /** The user's own rules, in the order given. */
    public List<StandingRule> standingRules() {
        return standingRules;
    }

    /** How trades in assets of unknown sleeve are treated. */
    public UnknownAssets unknownAssets() {
        return unknownAssets;
    }

    /** What the user approved ahead of standing rules, in the order given. */
    public List<Approval> approvals() {
        return approvals;
    }

    /** The approvals that are in force for a key. */
    public List<Approval> approvals(UUID key, Instant now) {
        return approvals.isEmpty()
                ? approvals
                : approvals.stream()
                        .filter(approval -> approval.isFor(key) && approval.isInForce(now))
                        .toList();
    }

    /** Whether all agents are paused, so that no trade is allowed. */
    public boolean isPaused() {
        return isPaused;
    }

    /** When the user last began a new peak, from which the drawdown is counted; null when never. */
    public @Nullable Instant drawdownSince() {
        return drawdownSince;
    }

    /** A label from 1, conservative, to 5, aggressive; null when not given. */
    public @Nullable Integer tier() {
        return tier;
    }

    /** The symbols that the authority levels or a standing rule name, in alphabetical order. */
    public SortedSet<AssetSymbol> named() {
        SortedSet<AssetSymbol> named = new TreeSet<>(assetAuthority.assets().keySet());
        for (StandingRule rule : standingRules) {
            Set<AssetSymbol> symbols = rule.when().symbols();
            if (symbols != null) {
                named.addAll(symbols);
            }
        }
        return named;
    }

    /** Whether the authority levels or a standing rule name this symbol. */
    public boolean names(AssetSymbol symbol) {
        if (assetAuthority.assets().containsKey(symbol)) {
            return true;
        }
        for (StandingRule rule : standingRules) {
            if (rule.when().names(symbol)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the authority levels, a standing rule or an approval have this symbol. */
    public boolean mentions(AssetSymbol symbol) {
        return names(symbol) || approvals.stream().anyMatch(approval -> symbol.equals(approval.symbol()));
    }

    /** The sleeve in which standing rules list an asset; null when none does, crypto when they disagree. */
    public @Nullable AssetType listedIn(AssetSymbol symbol) {
        AssetType listed = null;
        for (StandingRule rule : standingRules) {
            AssetType type = rule.when().names(symbol) ? rule.when().onlySleeve() : null;
            if (type == AssetType.CRYPTO) {
                return type;
            }
            listed = type == null ? listed : type;
        }
        return listed;
    }

    private List<@Nullable Object> fields() {
        return Arrays.asList(
                crypto,
                tradfi,
                cashFloor,
                maxDrawdown,
                maxSlippage,
                allowedActions,
                assetAuthority,
                standingRules,
                unknownAssets,
                approvals,
                isPaused,
                drawdownSince,
                tier);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ips that && fields().equals(that.fields());
    }

    @Override
    public int hashCode() {
        return fields().hashCode();
    }

    @Override
    public String toString() {
        return "Ips" + fields();
    }
}
