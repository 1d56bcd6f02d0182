package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a decision depends on (docs/reference/rules.md). Begin with {@link #of} and add what is known.
 *
 * @param trade the trade to decide, under the symbol of its resolved asset
 * @param asset the resolved asset; null only in decisions that were recorded before assets were resolved
 * @param ips the statement in force, null when the user has none
 * @param snapshot the portfolio now, null when there is none or it is worth nothing
 * @param held the value held of the asset, null without a snapshot or when unknown
 * @param policy the caps of the calling key
 * @param used what the key had used before
 * @param stale the custodian that was not heard of for so long that there is no snapshot; otherwise null
 * @param approvals of standing rules, those that are in force for the key
 * @param now when the decision is made
 */
public record EvaluationContext(
        Trade trade,
        @Nullable ResolvedAsset asset,
        @Nullable IpsVersion ips,
        @Nullable Snapshot snapshot,
        @Nullable Usd held,
        KeyPolicy policy,
        CapUsage used,
        @Nullable StaleCustodian stale,
        List<Approval> approvals,
        Instant now) {

    public EvaluationContext {
        approvals = List.copyOf(approvals);
        trade = asset == null ? trade : trade.of(asset.symbol());
        snapshot = snapshot == null || snapshot.total().isZero() ? null : snapshot;
        held = snapshot == null ? null : held;
    }

    /** A context in which no custodian is too old. */
    public EvaluationContext(
            Trade trade,
            @Nullable ResolvedAsset asset,
            @Nullable IpsVersion ips,
            @Nullable Snapshot snapshot,
            @Nullable Usd held,
            KeyPolicy policy,
            CapUsage used,
            Instant now) {
        this(trade, asset, ips, snapshot, held, policy, used, null, List.of(), now);
    }

    /** A trade of a resolved asset, without statement, portfolio and caps. */
    public static EvaluationContext of(Trade trade, @Nullable ResolvedAsset asset, Instant now) {
        return new EvaluationContext(trade, asset, null, null, null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, now);
    }

    /** This context with a statement in force. */
    public EvaluationContext with(@Nullable IpsVersion version) {
        return new EvaluationContext(trade, asset, version, snapshot, held, policy, used, stale, approvals, now);
    }

    /**
     * This context with a portfolio.
     *
     * @param valueHeld of the asset of the trade; null when unknown, and then a sale of more than is held is not
     *     noticed
     */
    public EvaluationContext with(@Nullable Snapshot portfolio, @Nullable Usd valueHeld) {
        return new EvaluationContext(trade, asset, ips, portfolio, valueHeld, policy, used, stale, approvals, now);
    }

    /** This context with the caps of a key and what it has used of them. */
    public EvaluationContext with(KeyPolicy caps, CapUsage usage) {
        return new EvaluationContext(trade, asset, ips, snapshot, held, caps, usage, stale, approvals, now);
    }

    /** This context with approvals of standing rules. */
    public EvaluationContext with(List<Approval> approved) {
        return new EvaluationContext(trade, asset, ips, snapshot, held, policy, used, stale, approved, now);
    }

    /** This context with another amount. */
    EvaluationContext withAmount(Usd amount) {
        Trade other = new Trade(trade.action(), trade.asset(), trade.assetType(), amount, trade.expectedSlippage());
        return new EvaluationContext(other, asset, ips, snapshot, held, policy, used, stale, approvals, now);
    }

    /** The approval by which a standing rule does not block the trade; null when there is none. */
    @Nullable
    Approval approval(StandingRule rule) {
        for (Approval approval : approvals) {
            if (approval.covers(rule, trade)) {
                return approval;
            }
        }
        return null;
    }

    /** The approvals without which a standing rule would block the trade, in the order of the rules. */
    public List<Approval> usedApprovals() {
        if (approvals.isEmpty() || ips == null) {
            return List.of();
        }
        List<Approval> used = new ArrayList<>();
        for (StandingRule rule : ips.ips().standingRules()) {
            Approval approval =
                    rule.effect() == Effect.REQUIRE_APPROVAL && rule.matches(trade, now) ? approval(rule) : null;
            if (approval != null && !used.contains(approval)) {
                used.add(approval);
            }
        }
        return used;
    }
}
