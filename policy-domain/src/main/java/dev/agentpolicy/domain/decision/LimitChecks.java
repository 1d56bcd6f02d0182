package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.rule.Violation.Sentence;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.List;

/** Losses and caps. */
final class LimitChecks {

    private static final Sentence TOO_FAR_DOWN = it -> "The portfolio would be " + DecisionWords.actual(it, "above")
            + " below its peak; the maximum drawdown is " + DecisionWords.limit(it) + ".";
    private static final Sentence TOO_MUCH_LOST = it -> "Expected slippage is " + DecisionWords.actual(it, "above")
            + "; the maximum is " + DecisionWords.limit(it) + ".";
    private static final Sentence TOO_MUCH_MANAGED = it -> "The key would manage " + DecisionWords.usd(it.actual())
            + "; its cap is " + DecisionWords.usd(it.limit()) + ".";
    private static final Sentence TOO_MUCH_TODAY = it -> "The key would propose " + DecisionWords.usd(it.actual())
            + " today; its daily cap is " + DecisionWords.usd(it.limit()) + ".";
    private static final Sentence TOO_MANY_CALLS =
            it -> "This is call " + it.actual() + " of the key today; its daily cap is " + it.limit() + ".";

    private LimitChecks() {}

    /** A buy past the limit is stopped; a sell only when the trade itself crosses it. */
    static void drawdown(Trade trade, Ips ips, Projection after, List<Violation> found) {
        Fraction limit = ips.maxDrawdown();
        Share drawdown = after.drawdown();
        boolean isBeyond = drawdown.isAbove(limit);
        if (isBeyond && (trade.isBuy() || !after.before().drawdown().isAbove(limit))) {
            BigDecimal actual = drawdown.rounded().value();
            found.add(new Violation(Rule.DRAWDOWN_EXCEEDED, TOO_FAR_DOWN, limit.value(), actual));
        }
    }

    static void slippage(Fraction slippage, Ips ips, List<Violation> found) {
        Fraction limit = ips.maxSlippage();
        if (slippage.isAbove(limit)) {
            BigDecimal actual = slippage.rounded().value();
            found.add(new Violation(Rule.SLIPPAGE_EXCEEDED, TOO_MUCH_LOST, limit.value(), actual));
        }
    }

    /** One violation for each cap of the key that the trade would pass: AUM, USD of the day, calls of the day. */
    static void caps(Trade trade, KeyPolicy policy, CapUsage used, List<Violation> found) {
        Usd aumCap = policy.aumCapUsd();
        if (aumCap != null && trade.isBuy()) {
            passing(used.aum().plus(trade.amount()), aumCap, TOO_MUCH_MANAGED, found);
        }
        Usd usdCap = policy.dailyUsdCap();
        if (usdCap != null) {
            passing(used.usd().plus(trade.amount()), usdCap, TOO_MUCH_TODAY, found);
        }
        Integer callCap = policy.dailyCallCap();
        long calls = used.calls() + 1;
        if (callCap != null && calls > callCap) {
            found.add(passed(TOO_MANY_CALLS, BigDecimal.valueOf(callCap), BigDecimal.valueOf(calls)));
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
}
