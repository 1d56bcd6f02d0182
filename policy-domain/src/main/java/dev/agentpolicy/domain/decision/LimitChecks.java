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

/** The rules about losses and the caps of a key. */
final class LimitChecks {

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

    private LimitChecks() {}

    /** A buy beyond the limit breaks the rule; a sell only when it crosses the limit itself. */
    static void drawdown(Trade trade, Ips ips, Projection after, List<Violation> found) {
        Fraction limit = ips.maxDrawdown();
        Share drawdown = after.drawdown();
        boolean isBeyond = drawdown.isAbove(limit);
        if (isBeyond && (trade.isBuy() || !after.before().drawdown().isAbove(limit))) {
            BigDecimal actual = drawdown.rounded().value();
            found.add(new Violation(Rule.DRAWDOWN_EXCEEDED, DRAWDOWN, limit.value(), actual));
        }
    }

    static void slippage(Fraction slippage, Ips ips, List<Violation> found) {
        Fraction limit = ips.maxSlippage();
        if (slippage.isAbove(limit)) {
            BigDecimal actual = slippage.rounded().value();
            found.add(new Violation(Rule.SLIPPAGE_EXCEEDED, SLIPPAGE, limit.value(), actual));
        }
    }

    /** One violation for each cap that the trade would exceed: AUM, USD of the day, calls of the day. */
    static void caps(Trade trade, KeyPolicy policy, CapUsage used, List<Violation> found) {
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
}
