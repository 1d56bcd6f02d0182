package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.util.ArrayList;
import java.util.List;

/** Decides trades: a pure function that reports every broken rule, in the order of the specification. */
public final class Evaluator {

    private Evaluator() {}

    /** Decides one trade (docs/reference/rules.md). */
    public static Decision decide(EvaluationContext it) {
        Trade trade = it.trade();
        ResolvedAsset asset = it.asset();
        if (asset != null && asset.refuses(trade.assetType())) {
            return new Decision(List.of(PermissionChecks.refusedAsset(trade, asset)), null, null, it.now());
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
            PermissionChecks.pause(trade, ips, found);
        }
        PermissionChecks.keyPause(it.policy(), found);
        PermissionChecks.shorting(trade, it.held(), found);
        if (ips != null && after != null) {
            AllocationChecks.bands(trade, ips, after, found);
            AllocationChecks.cashFloor(trade, ips, after, found);
        }
        if (now != null) {
            AllocationChecks.cash(trade, now, found);
        }
        if (ips != null && after != null) {
            LimitChecks.drawdown(trade, ips, after, found);
        }
        if (ips != null) {
            LimitChecks.slippage(slippage, ips, found);
        }
        LimitChecks.caps(trade, it.policy(), it.used(), found);
        PermissionChecks.authority(trade, asset, ips, it.policy(), found);
        if (ips != null) {
            PermissionChecks.standingRules(it, ips, found);
        }
        return new Decision(found, version == null ? null : version.version(), now, it.stale(), it.now());
    }

    private static String noSnapshot(EvaluationContext it) {
        StaleCustodian stale = it.stale();
        return stale == null ? "There are no holdings of any value to check against." : stale.message(it.now());
    }
}
