package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.rule.Violation.Sentence;
import dev.agentpolicy.domain.trade.AssetPair;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides trades: a pure function that reports every broken rule, in the order of the specification. */
public final class Evaluator {

    private static final String ALL_PAUSED = "All agents are paused.";
    private static final String KEY_PAUSED = "This key is paused.";

    /** A text that ends with punctuation. */
    private static final Pattern SENTENCE = Pattern.compile(".*[.!?]");

    private static final Sentence CRYPTO_ABOVE = it -> outside(it, "Crypto", "maximum", "above");
    private static final Sentence CRYPTO_BELOW = it -> outside(it, "Crypto", "minimum", "below");
    private static final Sentence TRADFI_ABOVE = it -> outside(it, "Tradfi", "maximum", "above");
    private static final Sentence TRADFI_BELOW = it -> outside(it, "Tradfi", "minimum", "below");
    private static final Sentence BELOW_FLOOR = it -> "Cash would be " + ViolationFormat.actual(it, "below")
            + " of the portfolio; the floor is " + ViolationFormat.limit(it) + ".";
    private static final Sentence NOT_ENOUGH_CASH = it -> "The buy costs " + ViolationFormat.usd(it.actual())
            + "; there is " + ViolationFormat.usd(it.limit()) + " in cash.";

    private static final Sentence DRAWDOWN = it -> "The portfolio would be " + ViolationFormat.actual(it, "above")
            + " below its peak; the maximum drawdown is " + ViolationFormat.limit(it) + ".";
    private static final Sentence SLIPPAGE = it -> "Expected slippage is " + ViolationFormat.actual(it, "above")
            + "; the maximum is " + ViolationFormat.limit(it) + ".";
    private static final Sentence AUM_CAP = it -> "The key would manage " + ViolationFormat.usd(it.actual())
            + "; its cap is " + ViolationFormat.usd(it.limit()) + ".";
    private static final Sentence DAILY_USD_CAP = it -> "The key would propose " + ViolationFormat.usd(it.actual())
            + " today; its daily cap is " + ViolationFormat.usd(it.limit()) + ".";
    private static final Sentence DAILY_CALL_CAP =
            it -> "This is call " + it.actual() + " of the key today; its daily cap is " + it.limit() + ".";

    private Evaluator() {}

    /** Decides one trade (docs/reference/rules.md). */
    public static Decision decide(EvaluationContext it) {
        Trade trade = it.trade();
        ResolvedAsset asset = it.asset();
        if (asset != null && asset.refuses(trade.assetType())) {
            return new Decision(List.of(refusedAsset(trade, asset)), null, null, it.now());
        }
        IpsVersion version = it.ips();
        Ips ips = version == null ? null : version.ips();
        Snapshot now = it.snapshot();
        Fraction slippage = trade.slippage();
        Projection after = now == null ? null : Projection.of(now, trade, slippage);
        // Most trades break no rule.
        List<Violation> found = new ArrayList<>(0);
        if (ips == null) {
            found.add(Violation.of(Rule.NO_ACTIVE_IPS, "There is no active investment policy statement."));
        }
        if (now == null) {
            found.add(Violation.of(Rule.NO_PORTFOLIO_SNAPSHOT, noSnapshot(it)));
        }
        if (ips != null) {
            pause(trade, ips, found);
        }
        keyPause(it.policy(), found);
        shorting(trade, it.held(), found);
        if (ips != null && after != null) {
            bands(trade, ips, after, found);
            cashFloor(trade, ips, after, found);
        }
        if (now != null) {
            cash(trade, now, found);
        }
        if (ips != null && after != null) {
            drawdown(trade, ips, after, found);
        }
        if (ips != null) {
            slippage(slippage, ips, found);
        }
        caps(trade, it.policy(), it.used(), found);
        authority(trade, asset, ips, it.policy(), found);
        if (ips != null) {
            standingRules(it, ips, after, found);
        }
        return new Decision(found, version == null ? null : version.version(), now, it.stale(), it.now());
    }

    private static String noSnapshot(EvaluationContext it) {
        StaleCustodian stale = it.stale();
        return stale == null ? "There are no holdings of any value to check against." : stale.message(it.now());
    }

    // The rules about what the user permits, whatever the amounts.

    private static void pause(Trade trade, Ips ips, List<Violation> found) {
        if (ips.isPaused()) {
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, ALL_PAUSED));
        }
        if (!ips.allowedActions().contains(trade.action())) {
            String message = trade.isBuy() ? "Buying is paused by the user." : "Selling is paused by the user.";
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, message));
        }
    }

    /** Whether a trade was blocked because all agents, or the key that asked, were paused. */
    public static boolean isPause(Violation violation) {
        return violation.rule() == Rule.ACTION_NOT_ALLOWED
                && (violation.message().equals(ALL_PAUSED)
                        || violation.message().equals(KEY_PAUSED));
    }

    private static void keyPause(KeyPolicy policy, List<Violation> found) {
        if (policy.isPaused()) {
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, KEY_PAUSED));
        }
    }

    /** A sell of more than is held is not allowed. */
    private static void shorting(Trade trade, @Nullable Usd held, List<Violation> found) {
        if (!trade.isBuy() && held != null && trade.amount().isAbove(held)) {
            AssetSymbol asset = trade.asset();
            Sentence sentence = it -> "The sell is of " + ViolationFormat.usd(it.actual()) + " of " + asset + "; "
                    + ViolationFormat.limitBelow(it) + " is held.";
            BigDecimal amount = trade.amount().value();
            found.add(new Violation(Rule.ACTION_NOT_ALLOWED, sentence, held.value(), amount));
        }
    }

    /** The call names a pair, a derivative, or another sleeve than that of the asset. */
    private static Violation refusedAsset(Trade trade, ResolvedAsset asset) {
        AssetPair pair = asset.pair();
        String message = pair == null
                ? asset.symbol() + " is a " + asset.assetType().wireName() + " asset; the call says "
                        + trade.assetType().wireName() + "."
                : pair.refusal(asset.symbol());
        return Violation.of(Rule.INVALID_PAYLOAD, message);
    }

    private static void authority(
            Trade trade, @Nullable ResolvedAsset resolved, @Nullable Ips ips, KeyPolicy policy, List<Violation> found) {
        AssetSymbol asset = trade.asset();
        Level level = ips == null ? Level.FULL : ips.assetAuthority().of(asset);
        if (level == Level.MONITOR) {
            found.add(Violation.of(
                    Rule.ASSET_AUTHORITY_MONITOR,
                    it -> asset + " may only be watched: its authority level is monitor."));
        } else if (resolved != null && resolved.source() == ResolvedAsset.Source.UNKNOWN) {
            found.add(Violation.of(
                    Rule.ASSET_AUTHORITY_MONITOR,
                    it -> asset + " is on no list of this account; unknown assets may only be watched."));
        } else if (!policy.mayTrade(asset, trade.assetType())) {
            found.add(Violation.of(
                    Rule.ASSET_AUTHORITY_MONITOR,
                    it -> "This key may only watch " + asset + ": it is not among the assets of its policy."));
        }
        if (level == Level.PROTECT && !trade.isBuy()) {
            found.add(Violation.of(
                    Rule.ASSET_AUTHORITY_PROTECT_SELL,
                    it -> asset + " may be bought but not sold: its authority level is protect."));
        }
    }

    /** The user's own rules, and then the limits with the same effect, each in the order of the statement. */
    private static void standingRules(
            EvaluationContext it, Ips ips, @Nullable Projection after, List<Violation> found) {
        for (StandingRule rule : ips.standingRules()) {
            if (rule.effect() == Effect.BLOCK && rule.matches(it.trade(), it.now())) {
                found.add(standing(Rule.STANDING_RULE_BLOCKED, rule, " blocks this trade"));
            }
        }
        limits(it, Effect.BLOCK, after, found);
        for (StandingRule rule : ips.standingRules()) {
            if (rule.effect() == Effect.REQUIRE_APPROVAL
                    && rule.matches(it.trade(), it.now())
                    && it.approval(rule.id()) == null) {
                found.add(standing(Rule.STANDING_RULE_REQUIRES_APPROVAL, rule, " requires the user's approval"));
            }
        }
        limits(it, Effect.REQUIRE_APPROVAL, after, found);
    }

    /** The limits with an effect that a trade breaks, without those that are approved. */
    private static void limits(EvaluationContext it, Effect effect, @Nullable Projection after, List<Violation> found) {
        if (it.limits().isEmpty()) {
            return;
        }
        for (Violation broken : LimitCheck.broken(it, effect, after)) {
            if (effect == Effect.BLOCK || it.approval(Objects.requireNonNull(broken.ruleId())) == null) {
                found.add(broken);
            }
        }
    }

    private static Violation standing(Rule broken, StandingRule rule, String does) {
        return Violation.of(broken, about -> sentence(rule, does)).withRuleId(rule.id());
    }

    private static String sentence(StandingRule standing, String does) {
        String reason = standing.reason();
        String why = reason == null || reason.isEmpty() ? "" : ": " + reason;
        return "Standing rule " + standing.id() + does + sentence(why);
    }

    /** A text with a full stop, unless it ends with punctuation. */
    static String sentence(String text) {
        return SENTENCE.matcher(text).matches() ? text : text + ".";
    }

    // The rules about sleeves and cash: what the portfolio would be after the trade.

    /** A band only stops a trade that leaves it: a buy above the maximum, a sell below the minimum. */
    private static void bands(Trade trade, Ips ips, Projection after, List<Violation> found) {
        AssetType sleeve = trade.assetType();
        AllocationBand band = ips.band(sleeve);
        Share share = after.share(sleeve);
        boolean isCrypto = sleeve == AssetType.CRYPTO;
        if (trade.isBuy() && share.isAbove(band.max())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MAX_ALLOCATION : Rule.TRADFI_MAX_ALLOCATION;
            found.add(outside(rule, share, band.max(), isCrypto ? CRYPTO_ABOVE : TRADFI_ABOVE));
        }
        if (!trade.isBuy() && share.isBelow(band.min())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MIN_ALLOCATION : Rule.TRADFI_MIN_ALLOCATION;
            found.add(outside(rule, share, band.min(), isCrypto ? CRYPTO_BELOW : TRADFI_BELOW));
        }
    }

    /** A trade that lowers cash must not go below the floor. A buy without enough cash breaks another rule instead. */
    private static void cashFloor(Trade trade, Ips ips, Projection after, List<Violation> found) {
        boolean isAffordable =
                !trade.isBuy() || !trade.amount().isAbove(after.before().cash());
        Share cash = after.cashShare();
        if (after.lowersCash() && isAffordable && cash.isBelow(ips.cashFloor())) {
            BigDecimal floor = ips.cashFloor().value();
            found.add(new Violation(
                    Rule.CASH_FLOOR, BELOW_FLOOR, floor, cash.rounded().value()));
        }
    }

    private static void cash(Trade trade, Snapshot now, List<Violation> found) {
        if (trade.isBuy() && trade.amount().isAbove(now.cash())) {
            BigDecimal cash = now.cash().value();
            found.add(new Violation(
                    Rule.INSUFFICIENT_CASH,
                    NOT_ENOUGH_CASH,
                    cash,
                    trade.amount().value()));
        }
    }

    private static Violation outside(Rule rule, Share share, Fraction limit, Sentence sentence) {
        BigDecimal actual = share.isDefined() ? share.rounded().value() : null;
        return new Violation(rule, sentence, limit.value(), actual);
    }

    private static String outside(Violation it, String sleeve, String edge, String side) {
        String bound = edge + " is " + ViolationFormat.limit(it) + ".";
        return it.actual() == null
                ? "Nothing would be left of the portfolio; the " + sleeve.toLowerCase(Locale.ROOT) + " " + bound
                : sleeve + " would be " + ViolationFormat.actual(it, side) + " of the portfolio; the " + bound;
    }

    // The rules about losses and the caps of a key.

    /** A buy beyond the limit breaks the rule; a sell only when it crosses the limit itself. */
    private static void drawdown(Trade trade, Ips ips, Projection after, List<Violation> found) {
        Fraction limit = ips.maxDrawdown();
        Share drawdown = after.drawdown();
        boolean isBeyond = drawdown.isAbove(limit);
        if (isBeyond && (trade.isBuy() || !after.before().drawdown().isAbove(limit))) {
            BigDecimal actual = drawdown.rounded().value();
            found.add(new Violation(Rule.DRAWDOWN_EXCEEDED, DRAWDOWN, limit.value(), actual));
        }
    }

    private static void slippage(Fraction slippage, Ips ips, List<Violation> found) {
        Fraction limit = ips.maxSlippage();
        if (slippage.isAbove(limit)) {
            BigDecimal actual = slippage.rounded().value();
            found.add(new Violation(Rule.SLIPPAGE_EXCEEDED, SLIPPAGE, limit.value(), actual));
        }
    }

    /** One violation for each cap that the trade would exceed: AUM, USD of the day, calls of the day. */
    private static void caps(Trade trade, KeyPolicy policy, CapUsage used, List<Violation> found) {
        Usd aumCap = policy.aumCapUsd();
        if (aumCap != null && trade.isBuy()) {
            passing(used.aum().plus(trade.amount()), aumCap, AUM_CAP, found);
        }
        Usd usdCap = policy.dailyUsdCap();
        if (usdCap != null) {
            passing(used.usd().plus(trade.amount()), usdCap, DAILY_USD_CAP, found);
        }
        Integer callCap = policy.dailyCallCap();
        long calls = used.calls() + 1;
        if (callCap != null && calls > callCap) {
            found.add(passed(DAILY_CALL_CAP, BigDecimal.valueOf(callCap), BigDecimal.valueOf(calls)));
        }
    }

    private static void passing(Usd amount, Usd cap, Sentence sentence, List<Violation> found) {
        if (amount.isAbove(cap)) {
            found.add(passed(sentence, cap.value(), amount.value()));
        }
    }

    private static Violation passed(Sentence sentence, BigDecimal cap, BigDecimal actual) {
        return new Violation(Rule.AGENT_AUM_CAP, sentence, cap, actual);
    }

    /** Formats the numbers of a violation for its message. */
    static final class ViolationFormat {
        private static final int SHOWN_DECIMALS = 8;
        private static final int GROUP = 3;

        private ViolationFormat() {}

        /** {@code 12,500.5 USD}. */
        static String usd(@Nullable BigDecimal amount) {
            BigDecimal value = Objects.requireNonNull(amount);
            BigDecimal shown = value.scale() <= SHOWN_DECIMALS
                    ? value
                    : value.setScale(SHOWN_DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
            return grouped(shown.toPlainString(), " USD");
        }

        /** The limit in percent, such as {@code 35%}. */
        static String limit(Violation it) {
            return fraction(it.limit()).inPercent() + "%";
        }

        /**
         * The actual value in percent, or {@code just above 35%} where rounding would hide the difference from the limit.
         */
        static String actual(Violation it, String side) {
            Fraction limit = fraction(it.limit());
            Fraction actual = fraction(it.actual());
            return (actual.equals(limit) ? "just " + side + " " + limit.inPercent() : actual.inPercent()) + "%";
        }

        /** The limit in dollars, or {@code just under 500 USD} where rounding would hide that the actual value is above it. */
        static String limitBelow(Violation it) {
            String limit = usd(it.limit());
            return (limit.equals(usd(it.actual())) ? "just under " : "") + limit;
        }

        private static Fraction fraction(@Nullable BigDecimal value) {
            return new Fraction(Objects.requireNonNull(value));
        }

        private static String grouped(String plain, String unit) {
            int point = plain.indexOf('.') < 0 ? plain.length() : plain.indexOf('.');
            int first = plain.startsWith("-") ? 1 : 0;
            StringBuilder text = new StringBuilder(plain);
            for (int i = point - GROUP; i > first; i -= GROUP) {
                text.insert(i, ',');
            }
            return text.append(unit).toString();
        }
    }
}
