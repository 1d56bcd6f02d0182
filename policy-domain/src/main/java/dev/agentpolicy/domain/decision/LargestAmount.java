package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds the largest amount that passes every rule, for a trade of which at least the amount 0 passes.
 *
 * <p>Each method inverts the check of the same name: it solves the inequality of the rule for the amount {@code a}. In the
 * formulas, {@code T} is the total value, {@code K} the cash, {@code X} the sleeve of the trade, {@code P} the peak, all
 * before the trade, and {@code s} is the slippage from 0 to 1. All inequalities then have the form {@code a * c <= r} with
 * {@code c >= 0}, so a rule that blocks an amount also blocks every larger one. Rules that do not depend on the amount are
 * not looked at here, since they would block the amount 0.
 */
final class LargestAmount {
    /** Decimals of an amount. */
    static final int CENTS = 2;

    private final Trade trade;
    private final BigDecimal slippage;
    private BigDecimal largest = TradePayload.MAX_AMOUNT_USD;

    private LargestAmount(Trade trade) {
        this.trade = trade;
        this.slippage = trade.slippage().value();
    }

    /** The amount in whole cents, at most {@link TradePayload#MAX_AMOUNT_USD}. */
    static Usd of(EvaluationContext it, Ips ips, Snapshot now) {
        LargestAmount amount = new LargestAmount(it.trade());
        BigDecimal total = now.total().value();
        amount.shorting(it.held());
        amount.bands(ips, now, total);
        amount.cashFloor(ips, now, total);
        amount.cash(now);
        amount.drawdown(ips, now, total);
        amount.caps(it);
        amount.standingRules(ips, it.now());
        return new Usd(amount.largest);
    }

    private void shorting(@Nullable Usd held) {
        if (!trade.isBuy() && held != null) {
            atMost(held.value());
        }
    }

    private void bands(Ips ips, Snapshot now, BigDecimal total) {
        AllocationBand band = ips.band(trade.assetType());
        BigDecimal sleeve = now.sleeve(trade.assetType()).value();
        if (trade.isBuy()) {
            // X + a(1-s) <= max(T - as)
            BigDecimal max = band.max().value();
            atMost(max.multiply(total).subtract(sleeve), oneLessSlippageTimes(BigDecimal.ONE.subtract(max)));
        } else {
            // X - a >= min(T - as)
            BigDecimal min = band.min().value();
            atMost(sleeve.subtract(min.multiply(total)), oneLessSlippageTimes(min));
        }
    }

    /** A sell never lowers cash, and a buy of nothing does not either, even where cash is below its floor already. */
    private void cashFloor(Ips ips, Snapshot now, BigDecimal total) {
        if (trade.isBuy()) {
            // K - a >= floor(T - as)
            BigDecimal floor = ips.cashFloor().value();
            BigDecimal aboveFloor = now.cash().value().subtract(floor.multiply(total));
            if (aboveFloor.signum() < 0) {
                atMost(BigDecimal.ZERO);
            } else {
                atMost(aboveFloor, oneLessSlippageTimes(floor));
            }
        }
    }

    private void cash(Snapshot now) {
        if (trade.isBuy()) {
            atMost(now.cash().value());
        }
    }

    /** A portfolio beyond the limit already may still sell: such a sell does not cross the limit. */
    private void drawdown(Ips ips, Snapshot now, BigDecimal total) {
        // P - (T - as) <= P * maxDrawdown
        BigDecimal kept = BigDecimal.ONE.subtract(ips.maxDrawdown().value());
        BigDecimal mayBeLost = total.subtract(now.peak().value().multiply(kept));
        if (mayBeLost.signum() >= 0) {
            atMost(mayBeLost, slippage);
        }
    }

    private void caps(EvaluationContext it) {
        Usd aumCap = it.policy().aumCapUsd();
        if (aumCap != null && trade.isBuy()) {
            atMost(aumCap.value().subtract(it.used().aum().value()));
        }
        Usd usdCap = it.policy().dailyUsdCap();
        if (usdCap != null) {
            atMost(usdCap.value().subtract(it.used().usd().value()));
        }
    }

    private void standingRules(Ips ips, Instant now) {
        for (StandingRule rule : ips.standingRules()) {
            Usd above = rule.when().amountUsdAbove();
            if (above != null && rule.matches(withMoreThan(above), now)) {
                atMost(above.value());
            }
        }
    }

    private Trade withMoreThan(Usd amount) {
        return new Trade(trade.action(), trade.asset(), trade.assetType(), amount.plus(Headroom.CENT), null);
    }

    private BigDecimal oneLessSlippageTimes(BigDecimal part) {
        return BigDecimal.ONE.subtract(slippage.multiply(part));
    }

    private void atMost(BigDecimal limit) {
        if (largest.compareTo(limit) > 0) {
            largest = limit.setScale(CENTS, RoundingMode.FLOOR);
        }
    }

    /** Only amounts {@code a} with {@code a * factor <= limit}; with a factor of 0 the amount does not matter. */
    private void atMost(BigDecimal limit, BigDecimal factor) {
        if (largest.multiply(factor).compareTo(limit) > 0) {
            largest = limit.divide(factor, CENTS, RoundingMode.FLOOR);
        }
    }
}
