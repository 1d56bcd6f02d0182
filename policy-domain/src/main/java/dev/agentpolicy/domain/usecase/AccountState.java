package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.custodian.CustodianConnections;
import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.LimitMeasure;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the trades of an account are decided by, apart from the key that asks.
 *
 * @param ips the IPS in force; null when there is none
 * @param portfolio the current revision; null when the user never held anything
 * @param snapshot the totals of the portfolio; null when there are none, or when a custodian is too old
 * @param stale the custodian that was not heard of for too long; null when there is none
 * @param flows what was proposed in the windows of the flow limits and under approvals; null where neither is checked
 * @param now the time of the decision
 */
public record AccountState(
        @Nullable IpsVersion ips,
        @Nullable Portfolio portfolio,
        @Nullable Snapshot snapshot,
        @Nullable StaleCustodian stale,
        @Nullable FlowCounts flows,
        Instant now) {

    /** The state of an account with this IPS and portfolio. */
    public static AccountState of(
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            CustodianConnections connections,
            @Nullable FlowCounts flows,
            Instant now) {
        StaleCustodian stale = connections.stale(now);
        Snapshot snapshot =
                portfolio == null || stale != null ? null : portfolio.snapshot().orElse(null);
        return new AccountState(ips, portfolio, snapshot, stale, flows, now);
    }

    /** The state of an account at the time of a change. */
    public static AccountState of(Account account) {
        return of(account.ips(), account.portfolio(), account.connections(), account.flows(), account.now());
    }

    /** This state for the answer of a user, which flows and counts of approvals do not bind: they bound what agents ask. */
    public AccountState withoutFlows() {
        return new AccountState(ips, portfolio, snapshot, stale, null, now);
    }

    /** This state after a trade that counts for the flows and for the approvals it needed. */
    public AccountState plus(AgentKeyId agent, Trade counted, List<Approval> needed) {
        FlowCounts after =
                flows == null || ips == null ? flows : flows.plus(ips.ips().limits(), needed, agent, counted, now);
        return new AccountState(ips, portfolio, snapshot, stale, after, now);
    }

    /**
     * The context in which a trade is decided. The portfolio is the present one.
     *
     * @param unfilled trades to be taken as filled; what they buy counts as held when the asset is resolved
     * @param agent the key that asks; null for none
     */
    public EvaluationContext context(
            List<Trade> unfilled, @Nullable AgentKeyId agent, KeyPolicy policy, SentTrade sent, CapUsage used) {
        Trade asked = sent.trade();
        ResolvedAsset asset = resolver(unfilled)
                .resolve(asked.asset(), asked.assetType(), sent.symbol())
                .under(ips == null ? UnknownAssets.AS_SAID : ips.ips().unknownAssets());
        Trade trade = asked.of(asset.symbol());
        // A trade refused for its asset is blocked for that; its limits are not checked against the portfolio.
        Portfolio known = asset.refuses(trade.assetType()) ? null : portfolio;
        Usd held = known == null ? null : known.held(trade.asset(), trade.assetType());
        EvaluationContext context = new EvaluationContext(
                trade,
                asset,
                ips,
                known == null ? null : snapshot,
                held,
                policy,
                used,
                known == null ? null : stale,
                List.of(),
                List.of(),
                now);
        return ips == null || ips.ips().limits().isEmpty()
                ? context
                : context.withLimits(LimitMeasure.all(context, known, flows, agent));
    }

    /** The approvals that are in force for a key, after those that were kept with a proposal, which are used no more. */
    public List<ApprovalUse> approvals(AgentKeyId key, List<Approval> kept) {
        List<Approval> inForce = ips == null ? List.of() : ips.ips().approvals(key.value(), now);
        if (kept.isEmpty() && inForce.isEmpty()) {
            return List.of();
        }
        return Stream.concat(
                        kept.stream().map(ApprovalUse::nothing),
                        inForce.stream()
                                .map(approval -> flows == null
                                        ? ApprovalUse.nothing(approval)
                                        : flows.approvals().of(approval)))
                .distinct()
                .toList();
    }

    /** Resolves symbols in this account. What unfilled trades buy counts as held. */
    public AssetResolver resolver(List<Trade> unfilled) {
        return KnownAssets.resolver(portfolio, ips, unfilled);
    }
}
