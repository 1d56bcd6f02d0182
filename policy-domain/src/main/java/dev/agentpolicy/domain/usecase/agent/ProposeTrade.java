package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.FlowCounts;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a proposed trade and, if it is allowed, queues it for the user's attestation. An idempotency key makes at
 * most one request (specification, Behaviour rules 4 and 5).
 *
 * @param window how long a request waits for its user before it expires
 */
public record ProposeTrade(Accounts accounts, KeyCheck keyCheck, AgentLimits limits, Duration window) {
    /**
     * Proposes a trade.
     *
     * @param idempotencyKey chosen by the caller; null when it gave none
     */
    public CompletionStage<Answer<Proposed>> propose(
            Caller caller, ProposalBody body, @Nullable String idempotencyKey) {
        IdempotencyKey once =
                idempotencyKey == null ? null : new IdempotencyKey(caller.key().id(), idempotencyKey);
        LoadSpec needs = LoadSpec.call(caller.key().id(), once);
        return accounts.change(
                caller.account(),
                new AgentChange<>(
                        caller,
                        keyCheck,
                        Scope.PROPOSE,
                        needs,
                        0,
                        (account, key) -> propose(account, key, body, once)));
    }

    /**
     * The result of a proposal.
     *
     * @param advised the decision as it is answered; null for a replay
     * @param requestId the request that was created, now or by the first call; null when the trade was blocked
     * @param receipt the receipt of the decision, for a replay that of the first call; null when it is not known
     * @param isReplay whether the idempotency key was used before
     * @param isSameBody whether a replay has the same body as the first call
     */
    public record Proposed(
            @Nullable AdvisedDecision advised,
            @Nullable Long requestId,
            @Nullable Receipt receipt,
            boolean isReplay,
            boolean isSameBody) {

        /** Allowed or blocked; null for a replay. */
        public @Nullable Decision decision() {
            return advised == null ? null : advised.decision();
        }
    }

    /** A replay counts as a call; it makes no new decision. */
    private Outcome<Answer<Proposed>> propose(
            Account account, AgentKey key, ProposalBody body, @Nullable IdempotencyKey once) {
        Replay replay = once == null ? null : account.replay(once).orElse(null);
        if (replay != null) {
            Proposed replayed = replayed(account, replay, body);
            return AgentChange.counting(account, key, 1).answer(receipts -> Answer.given(replayed));
        }
        return limits.refuseDecisions(account, 1)
                .or(() -> limits.refuseRequest(account, key))
                .map(AgentChange::<Proposed>refused)
                .orElseGet(() -> decide(account, key, body, once));
    }

    private static Proposed replayed(Account account, Replay replay, ProposalBody body) {
        Receipt receipt = account.request(replay.requestId())
                .map(request -> request.proposal().receipt())
                .orElse(null);
        boolean isSame = replay.askedHash().equals(body.hash());
        return new Proposed(null, replay.requestId(), receipt, true, isSame);
    }

    private Outcome<Answer<Proposed>> decide(
            Account account, AgentKey key, ProposalBody body, @Nullable IdempotencyKey once) {
        Tally tally = account.tally(key.id());
        CapUsage used = TradeCheck.used(account, key);
        CheckedTrade checked = TradeCheck.check(account, key, body.sent(), used);
        Outcome.Recording recording = AgentChange.counting(account, key, 1);
        Long requestId = checked.decision().isAllowed() ? account.requestIds().getAsLong() : null;
        if (requestId != null) {
            recording.request(Pending.of(proposal(account, key, checked, body.rationale(), requestId)));
            if (once != null) {
                recording.replay(new Replay(once, requestId, body.hash(), account.now()));
            }
            FlowCounts flows = account.flows()
                    .plus(limits(account), checked.approvals(), key.id(), checked.trade(), account.now());
            if (!flows.equals(account.flows())) {
                recording.flows(flows);
            }
            tally = tally.plusUsd(checked.trade().amount()).plusPending(checked.trade());
        }
        return recording
                .tally(key.id(), tally.plusCall())
                .event(DecisionPayload.draft(
                        checked.record(Kind.PROPOSE, null, key, body.rationale(), used, requestId)))
                .answer(receipts ->
                        Answer.given(new Proposed(checked.advised(key), requestId, receipts.get(0), false, true)));
    }

    private static List<Limit> limits(Account account) {
        IpsVersion ips = account.ips();
        return ips == null ? List.of() : ips.ips().limits();
    }

    private Proposal proposal(
            Account account, AgentKey key, CheckedTrade checked, @Nullable String rationale, long requestId) {
        return new Proposal(
                requestId,
                key.userId(),
                key.id(),
                key.name(),
                checked.trade(),
                checked.asset(),
                rationale,
                checked.decision(),
                checked.approvals(),
                account.now(),
                account.now().plus(window),
                null);
    }
}
