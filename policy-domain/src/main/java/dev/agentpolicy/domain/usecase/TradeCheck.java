package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks trades against the policy and portfolio of an account. */
public final class TradeCheck {

    private TradeCheck() {}

    /**
     * A decision and what it depends on, which the log records with it.
     *
     * @param decision allowed or blocked, with reasons
     * @param context what was decided
     */
    public record CheckedTrade(Decision decision, EvaluationContext context) {

        /** The trade with the canonical symbol of its asset. */
        public Trade trade() {
            return context.trade();
        }

        /** What the symbol was resolved to. */
        public @Nullable ResolvedAsset asset() {
            return context.asset();
        }

        /** Value held of the asset; null when it is not known. */
        public @Nullable Usd held() {
            return context.held();
        }

        /** The approvals without which the decision would have been another. */
        public List<Approval> approvals() {
            return context.usedApprovals();
        }

        /** The record of the decision, as it goes into the log. */
        public DecisionRecord record(
                Kind kind,
                @Nullable Integer batchIndex,
                AgentKey key,
                @Nullable String rationale,
                CapUsage used,
                @Nullable Long requestId) {
            return new DecisionRecord(
                    kind,
                    batchIndex,
                    key.id(),
                    trade(),
                    asset(),
                    rationale,
                    held(),
                    used,
                    decision,
                    approvals(),
                    context.approvalCounts(),
                    context.limits(),
                    null,
                    requestId);
        }

        /** The record of the decision on a proposal that its user accepted. */
        public DecisionRecord accepted(Proposal proposal, CapUsage used, Attestation yes) {
            return new DecisionRecord(
                    Kind.ATTESTATION,
                    null,
                    proposal.agentKeyId(),
                    proposal.trade(),
                    asset(),
                    proposal.rationale(),
                    held(),
                    used,
                    decision,
                    approvals(),
                    List.of(),
                    context.limits(),
                    yes,
                    proposal.id());
        }

        /**
         * The decision as it is answered to the key that asked. One that may not read is told no figures of holdings, and
         * gets no suggestion, from which they could be computed.
         */
        public AdvisedDecision advised(AgentKey key) {
            return key.has(Scope.READ)
                    ? AdvisedDecision.of(decision, context)
                    : new AdvisedDecision(decision.withoutHoldings(), null);
        }
    }

    /** Resolves the asset of a trade that a key asks for, and decides on the trade. */
    public static CheckedTrade check(Account account, AgentKey key, SentTrade sent, CapUsage used) {
        AccountState state = AccountState.of(account);
        return check(state, key, sent, used);
    }

    /** As above, in a state that the caller has: within a batch, what its earlier items count for flows. */
    public static CheckedTrade check(AccountState state, AgentKey key, SentTrade sent, CapUsage used) {
        return decided(state.context(List.of(), key.id(), key.policy(), sent, used)
                .with(state.approvals(key.id(), List.of())));
    }

    /** Decides again on a proposed trade, which keeps the approvals it was proposed under. */
    public static CheckedTrade check(AccountState state, KeyPolicy policy, Proposal proposal, CapUsage used) {
        return decided(state.context(List.of(), proposal.agentKeyId(), policy, proposal.sent(), used)
                .with(state.approvals(proposal.agentKeyId(), proposal.approvals())));
    }

    private static CheckedTrade decided(EvaluationContext context) {
        return new CheckedTrade(Evaluator.decide(context), context);
    }

    /** What a key has used of its caps before its next decision. */
    public static CapUsage used(Account account, AgentKey key) {
        Tally tally = account.tally(key.id());
        return new CapUsage(account.calls(key), tally.usd(), tally.aum());
    }
}
