package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Used;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.List;

/** Losses and caps. */
final class LimitChecks {

    private LimitChecks() {}

    /** A buy past the limit is stopped; a sell only when the trade itself crosses it. */
    static void drawdown(Trade trade, Ips ips, Projection after, List<Violation> found) {
        Fraction limit = ips.maxDrawdown();
        Share drawdown = after.drawdown();
        boolean isBeyond = drawdown.isAbove(limit);
        if (isBeyond && (trade.isBuy() || !after.before().drawdown().isAbove(limit))) {
            Fraction actual = drawdown.rounded();
            String message = "The portfolio would be " + Words.against(actual, limit, "above")
                    + "% below its peak; the maximum drawdown is " + limit.inPercent() + "%.";
            found.add(new Violation(Rule.DRAWDOWN_EXCEEDED, message, limit.value(), actual.value()));
        }
    }

    static void slippage(Fraction slippage, Ips ips, List<Violation> found) {
        Fraction limit = ips.maxSlippage();
        if (slippage.isAbove(limit)) {
            Fraction actual = slippage.rounded();
            String message = "Expected slippage is " + Words.against(actual, limit, "above") + "%; the maximum is "
                    + limit.inPercent() + "%.";
            found.add(new Violation(Rule.SLIPPAGE_EXCEEDED, message, limit.value(), actual.value()));
        }
    }

    /** One violation for each cap of the key that the trade would pass: AUM, USD of the day, calls of the day. */
    static void caps(Trade trade, KeyPolicy policy, Used used, List<Violation> found) {
        Usd aumCap = policy.aumCapUsd();
        if (aumCap != null && trade.isBuy()) {
            passing("The key would manage ", used.aum().plus(trade.amount()), "; its cap is ", aumCap, found);
        }
        Usd usdCap = policy.dailyUsdCap();
        if (usdCap != null) {
            passing(
                    "The key would propose ",
                    used.usd().plus(trade.amount()),
                    " today; its daily cap is ",
                    usdCap,
                    found);
        }
        Integer callCap = policy.dailyCallCap();
        long calls = used.calls() + 1;
        if (callCap != null && calls > callCap) {
            found.add(passed(
                    "This is call " + calls + " of the key today; its daily cap is " + callCap + ".",
                    BigDecimal.valueOf(callCap),
                    BigDecimal.valueOf(calls)));
        }
    }

    private static void passing(String would, Usd amount, String but, Usd cap, List<Violation> found) {
        if (amount.isAbove(cap)) {
            found.add(passed(would + Words.usd(amount) + but + Words.usd(cap) + ".", cap.value(), amount.value()));
        }
    }

    private static Violation passed(String message, BigDecimal cap, BigDecimal actual) {
        return new Violation(Rule.AGENT_AUM_CAP, message, cap, actual);
    }
}
