package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.rule.Violation.Sentence;
import dev.agentpolicy.domain.trade.AssetPair;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules about what the user permits, whatever the amounts. */
final class PermissionChecks {

    /** A text that ends with punctuation. */
    private static final Pattern SENTENCE = Pattern.compile(".*[.!?]");

    private PermissionChecks() {}

    static void pause(Trade trade, Ips ips, List<Violation> found) {
        if (ips.isPaused()) {
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, "All agents are paused."));
        }
        if (!ips.allowedActions().contains(trade.action())) {
            String message = trade.isBuy() ? "Buying is paused by the user." : "Selling is paused by the user.";
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, message));
        }
    }

    static void keyPause(KeyPolicy policy, List<Violation> found) {
        if (policy.isPaused()) {
            found.add(Violation.of(Rule.ACTION_NOT_ALLOWED, "This key is paused."));
        }
    }

    /** A sell of more than is held is not allowed. */
    static void shorting(Trade trade, @Nullable Usd held, List<Violation> found) {
        if (!trade.isBuy() && held != null && trade.amount().isAbove(held)) {
            AssetSymbol asset = trade.asset();
            Sentence sentence = it -> "The sell is of " + ViolationFormat.usd(it.actual()) + " of " + asset + "; "
                    + ViolationFormat.limitBelow(it) + " is held.";
            BigDecimal amount = trade.amount().value();
            found.add(new Violation(Rule.ACTION_NOT_ALLOWED, sentence, held.value(), amount));
        }
    }

    /** The call names a pair, a derivative, or another sleeve than that of the asset. */
    static Violation refusedAsset(Trade trade, ResolvedAsset asset) {
        AssetPair pair = asset.pair();
        String message = pair == null
                ? asset.symbol() + " is a " + asset.assetType().wireName() + " asset; the call says "
                        + trade.assetType().wireName() + "."
                : pair.refusal(asset.symbol());
        return Violation.of(Rule.INVALID_PAYLOAD, message);
    }

    static void authority(
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

    static void standingRules(EvaluationContext it, Ips ips, List<Violation> found) {
        for (StandingRule rule : ips.standingRules()) {
            if (rule.effect() == Effect.BLOCK && rule.matches(it.trade(), it.now())) {
                found.add(standing(Rule.STANDING_RULE_BLOCKED, rule, " blocks this trade"));
            }
        }
        for (StandingRule rule : ips.standingRules()) {
            if (rule.effect() == Effect.REQUIRE_APPROVAL
                    && rule.matches(it.trade(), it.now())
                    && it.approval(rule) == null) {
                found.add(standing(Rule.STANDING_RULE_REQUIRES_APPROVAL, rule, " requires the user's approval"));
            }
        }
    }

    private static Violation standing(Rule broken, StandingRule rule, String does) {
        return Violation.of(broken, about -> sentence(rule, does)).withRuleId(rule.id());
    }

    private static String sentence(StandingRule standing, String does) {
        String reason = standing.reason();
        String why = reason == null || reason.isEmpty() ? "" : ": " + reason;
        String end = SENTENCE.matcher(why).matches() ? "" : ".";
        return "Standing rule " + standing.id() + does + why + end;
    }
}
