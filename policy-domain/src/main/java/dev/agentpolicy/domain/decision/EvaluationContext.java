package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalCount;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
 * @param approvals of standing rules and limits, those that are in force for the key, and what is used of them
 * @param limits what the limits are compared with that are checked; in the order of the statement
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
        List<ApprovalUse> approvals,
        List<LimitMeasure> limits,
        Instant now) {

    public EvaluationContext {
        approvals = List.copyOf(approvals);
        limits = List.copyOf(limits);
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
        this(trade, asset, ips, snapshot, held, policy, used, null, List.of(), List.of(), now);
    }

    /** A trade of a resolved asset, without statement, portfolio and caps. */
    public static EvaluationContext of(Trade trade, @Nullable ResolvedAsset asset, Instant now) {
        return new EvaluationContext(trade, asset, null, null, null, KeyPolicy.NO_CAPS, CapUsage.NOTHING, now);
    }

    /** This context with a statement in force. */
    public EvaluationContext with(@Nullable IpsVersion version) {
        return new EvaluationContext(
                trade, asset, version, snapshot, held, policy, used, stale, approvals, limits, now);
    }

    /**
     * This context with a portfolio.
     *
     * @param valueHeld of the asset of the trade; null when unknown, and then a sale of more than is held is not
     *     noticed
     */
    public EvaluationContext with(@Nullable Snapshot portfolio, @Nullable Usd valueHeld) {
        return new EvaluationContext(
                trade, asset, ips, portfolio, valueHeld, policy, used, stale, approvals, limits, now);
    }

    /** This context with the caps of a key and what it has used of them. */
    public EvaluationContext with(KeyPolicy caps, CapUsage usage) {
        return new EvaluationContext(trade, asset, ips, snapshot, held, caps, usage, stale, approvals, limits, now);
    }

    /** This context with approvals of standing rules and limits. */
    public EvaluationContext with(List<ApprovalUse> approved) {
        return new EvaluationContext(trade, asset, ips, snapshot, held, policy, used, stale, approved, limits, now);
    }

    /** This context with what its limits are compared with. */
    public EvaluationContext withLimits(List<LimitMeasure> measures) {
        return new EvaluationContext(trade, asset, ips, snapshot, held, policy, used, stale, approvals, measures, now);
    }

    /** This context with another amount. */
    EvaluationContext withAmount(Usd amount) {
        Trade other = new Trade(trade.action(), trade.asset(), trade.assetType(), amount, trade.expectedSlippage());
        return new EvaluationContext(other, asset, ips, snapshot, held, policy, used, stale, approvals, limits, now);
    }

    /** What a buy makes of the position or loss of a limit, in six places; null for other limits and without a snapshot. */
    public @Nullable BigDecimal measured(String limit) {
        return LimitCheck.actual(this, limit);
    }

    /** The limit of a measure. */
    Limit limit(LimitMeasure measure) {
        for (Limit limit : Objects.requireNonNull(ips).ips().limits()) {
            if (limit.id().equals(measure.id())) {
                return limit;
            }
        }
        throw new IllegalArgumentException("There is no limit " + measure.id() + ".");
    }

    /** The approval by which a standing rule or limit does not block the trade; null when there is none. */
    @Nullable
    Approval approval(String rule) {
        for (ApprovalUse use : approvals) {
            if (use.covers(rule, trade)) {
                return use.approval();
            }
        }
        return null;
    }

    /** What is used of the approvals of the statement that could cover the trade, as it is recorded. */
    public List<ApprovalCount> approvalCounts() {
        return approvals.isEmpty() || ips == null || isRefused()
                ? List.of()
                : ApprovalCounts.counts(ips.ips(), approvals, trade);
    }

    /** Whether the trade is refused for its asset, so that the statement does not matter. */
    private boolean isRefused() {
        return asset != null && asset.refuses(trade.assetType());
    }

    /** The approvals without which a standing rule or limit would block the trade, in the order of the rules. */
    public List<Approval> usedApprovals() {
        if (approvals.isEmpty() || ips == null || isRefused()) {
            return List.of();
        }
        List<Approval> used = new ArrayList<>();
        for (StandingRule rule : ips.ips().standingRules()) {
            Approval approval =
                    rule.effect() == Effect.REQUIRE_APPROVAL && rule.matches(trade, now) ? approval(rule.id()) : null;
            if (approval != null && !used.contains(approval)) {
                used.add(approval);
            }
        }
        Projection after = snapshot == null || limits.isEmpty() ? null : Projection.of(snapshot, trade);
        for (Violation broken : LimitCheck.broken(this, Effect.REQUIRE_APPROVAL, after)) {
            Approval approval = approval(Objects.requireNonNull(broken.ruleId()));
            if (approval != null && !used.contains(approval)) {
                used.add(approval);
            }
        }
        return used;
    }
}
