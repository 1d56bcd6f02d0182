package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
 *
 * @param crypto the band of the crypto sleeve
 * @param tradfi the band of the tradfi sleeve
 * @param cashFloor the least fraction of the portfolio that must stay in cash
 * @param maxDrawdown how far the portfolio may be below its peak, as a fraction of the peak
 * @param maxSlippage the most slippage a trade may expect, as a fraction of its amount
 * @param allowedActions the actions that agents may take; an empty set pauses all trading
 * @param assetAuthority what agents may do with each asset
 * @param standingRules the user's own rules, in the order given
 * @param limits over time, of assets and of losses, in the order given
 * @param unknownAssets how trades in assets of unknown sleeve are treated
 * @param approvals what the user approved ahead of standing rules, in the order given
 * @param isPaused whether all agents are paused, so that no trade is allowed
 * @param drawdownSince when the user last began a new peak, from which the drawdown is counted; null when never
 * @param tier a label from 1, conservative, to 5, aggressive; null when not given
 */
public record Ips(
        AllocationBand crypto,
        AllocationBand tradfi,
        Fraction cashFloor,
        Fraction maxDrawdown,
        Fraction maxSlippage,
        Set<Action> allowedActions,
        AssetAuthority assetAuthority,
        List<StandingRule> standingRules,
        List<Limit> limits,
        UnknownAssets unknownAssets,
        List<Approval> approvals,
        boolean isPaused,
        @Nullable Instant drawdownSince,
        @Nullable Integer tier) {
    public Ips {
        allowedActions = Set.copyOf(allowedActions);
        standingRules = List.copyOf(standingRules);
        limits = List.copyOf(limits);
        approvals = List.copyOf(approvals);
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

    /** This statement with another band of a sleeve. */
    public Ips withBand(AssetType sleeve, AllocationBand band) {
        boolean isCrypto = sleeve == AssetType.CRYPTO;
        return withNumbers(isCrypto ? band : crypto, isCrypto ? tradfi : band, cashFloor, maxDrawdown, maxSlippage);
    }

    /** This statement with another cash floor. */
    public Ips withCashFloor(Fraction min) {
        return withNumbers(crypto, tradfi, min, maxDrawdown, maxSlippage);
    }

    /** This statement with another maximum drawdown. */
    public Ips withMaxDrawdown(Fraction max) {
        return withNumbers(crypto, tradfi, cashFloor, max, maxSlippage);
    }

    /** This statement with another maximum slippage. */
    public Ips withMaxSlippage(Fraction max) {
        return withNumbers(crypto, tradfi, cashFloor, maxDrawdown, max);
    }

    private Ips withNumbers(
            AllocationBand cryptoBand,
            AllocationBand tradfiBand,
            Fraction floor,
            Fraction drawdown,
            Fraction slippage) {
        return new Ips(
                cryptoBand,
                tradfiBand,
                floor,
                drawdown,
                slippage,
                allowedActions,
                assetAuthority,
                standingRules,
                limits,
                unknownAssets,
                approvals,
                isPaused,
                drawdownSince,
                tier);
    }

    /** This statement with other allowed actions. */
    public Ips withAllowedActions(Set<Action> actions) {
        return with(it -> it.allowedActions = actions);
    }

    /** This statement with other authority levels. */
    public Ips withAssetAuthority(AssetAuthority authority) {
        return with(it -> it.assetAuthority = authority);
    }

    /** This statement with other standing rules. */
    public Ips withStandingRules(List<StandingRule> rules) {
        return with(it -> it.standingRules = rules);
    }

    /** This statement with other limits. */
    public Ips withLimits(List<Limit> bounds) {
        return with(it -> it.limits = bounds);
    }

    /** This statement with another treatment of unknown assets. */
    public Ips withUnknownAssets(UnknownAssets treatment) {
        return with(it -> it.unknownAssets = treatment);
    }

    /** This statement with another tier. */
    public Ips withTier(@Nullable Integer number) {
        return with(it -> it.tier = number);
    }

    /** This statement with other approvals. */
    public Ips withApprovals(List<Approval> approved) {
        return with(it -> it.approvals = approved);
    }

    /** This statement, pausing all agents or not. */
    public Ips withPaused(boolean pauses) {
        return with(it -> it.isPaused = pauses);
    }

    /** This statement, counting the drawdown since another time. */
    public Ips withDrawdownSince(@Nullable Instant time) {
        return with(it -> it.drawdownSince = time);
    }

    private Ips with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.ips();
    }

    /** A statement in the making, whose optional members differ from those of another. */
    private static final class Copy {
        private final Ips of;
        private Set<Action> allowedActions;
        private AssetAuthority assetAuthority;
        private List<StandingRule> standingRules;
        private List<Limit> limits;
        private UnknownAssets unknownAssets;
        private List<Approval> approvals;
        private boolean isPaused;
        private @Nullable Instant drawdownSince;
        private @Nullable Integer tier;

        private Copy(Ips of) {
            this.of = of;
            allowedActions = of.allowedActions;
            assetAuthority = of.assetAuthority;
            standingRules = of.standingRules;
            limits = of.limits;
            unknownAssets = of.unknownAssets;
            approvals = of.approvals;
            isPaused = of.isPaused;
            drawdownSince = of.drawdownSince;
            tier = of.tier;
        }

        private Ips ips() {
            return new Ips(
                    of.crypto,
                    of.tradfi,
                    of.cashFloor,
                    of.maxDrawdown,
                    of.maxSlippage,
                    allowedActions,
                    assetAuthority,
                    standingRules,
                    limits,
                    unknownAssets,
                    approvals,
                    isPaused,
                    drawdownSince,
                    tier);
        }
    }

    /** The band of a sleeve. */
    public AllocationBand band(AssetType sleeve) {
        return sleeve == AssetType.CRYPTO ? crypto : tradfi;
    }

    /** The approvals that are in force for a key. */
    public List<Approval> approvals(UUID key, Instant now) {
        return approvals.isEmpty()
                ? approvals
                : approvals.stream()
                        .filter(approval -> approval.isFor(key) && approval.isInForce(now))
                        .toList();
    }

    /**
     * The approvals of this statement when it takes the place of another one: those that were in force end with a rule or
     * limit that asks for approval of other trades, although it has the same id, and those that ended so do not come back.
     */
    public List<Approval> approvalsAfter(Ips before, ApprovalCounts counts) {
        return approvals.stream()
                .filter(approval -> before.approvals.contains(approval)
                        ? approval.hasSameRule(before, this)
                        : !counts.hasEnded(approval))
                .toList();
    }

    /** The symbols that the authority levels, a standing rule or a limit name, in alphabetical order. */
    public NavigableSet<AssetSymbol> named() {
        NavigableSet<AssetSymbol> named = new TreeSet<>(assetAuthority.assets().keySet());
        Stream.concat(
                        standingRules.stream().map(StandingRule::when),
                        limits.stream().map(Limit::scope))
                .map(When::symbols)
                .filter(Objects::nonNull)
                .forEach(named::addAll);
        return named;
    }

    /** Whether the authority levels, a standing rule or a limit name this symbol. */
    public boolean names(AssetSymbol symbol) {
        if (assetAuthority.assets().containsKey(symbol)) {
            return true;
        }
        for (StandingRule rule : standingRules) {
            if (rule.when().names(symbol)) {
                return true;
            }
        }
        for (Limit limit : limits) {
            if (limit.scope().names(symbol)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the authority levels, a standing rule, a limit or an approval have this symbol. */
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
}
