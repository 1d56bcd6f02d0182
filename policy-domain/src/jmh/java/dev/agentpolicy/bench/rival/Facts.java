package dev.agentpolicy.bench.rival;

import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A trade and the portfolio it would lead to, in text and whole numbers, which every engine understands: money in
 * millionths of a dollar, slippage in millionths. Public because Drools generates classes that read it.
 */
public record Facts(
        String action,
        String assetType,
        String asset,
        long amount,
        long held,
        long slippage,
        long sleeveAfter,
        long cashBefore,
        long cashAfter,
        long totalAfter) {

    static Facts of(EvaluationContext it) {
        Trade trade = it.trade();
        Projection after = Projection.of(Objects.requireNonNull(it.snapshot()), trade);
        Usd held = it.held();
        return new Facts(
                trade.action().wireName(),
                trade.assetType().wireName(),
                trade.asset().value(),
                millionths(trade.amount().value()),
                held == null ? 0 : millionths(held.value()),
                millionths(trade.slippage().value()),
                millionths(after.share(trade.assetType()).part().value()),
                millionths(after.before().cash().value()),
                millionths(after.cash().value()),
                millionths(after.total().value()));
    }

    /** The facts by name, in the order of their declaration. */
    Map<String, Object> byName() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("action", action);
        facts.put("assetType", assetType);
        facts.put("asset", asset);
        facts.put("amount", amount);
        facts.put("held", held);
        facts.put("slippage", slippage);
        facts.put("sleeveAfter", sleeveAfter);
        facts.put("cashBefore", cashBefore);
        facts.put("cashAfter", cashAfter);
        facts.put("totalAfter", totalAfter);
        return facts;
    }

    private static long millionths(BigDecimal value) {
        return value.movePointRight(6).longValueExact();
    }
}
