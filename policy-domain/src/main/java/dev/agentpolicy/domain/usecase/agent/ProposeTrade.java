package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.request.Replay;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import java.time.Duration;
import java.util.Optional;
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
        return accounts.change(caller.account(), new ProposeOnce(caller, body, once));
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

    private final class ProposeOnce implements Change<Answer<Proposed>> {
        private final Caller caller;
        private final ProposalBody body;
        private final @Nullable IdempotencyKey once;

        ProposeOnce(Caller caller, ProposalBody body, @Nullable IdempotencyKey once) {
            this.caller = caller;
            this.body = body;
            this.once = once;
        }

        @Override
        public LoadSpec needs() {
            return LoadSpec.call(caller.key().id(), once);
        }

        @Override
        public Outcome<Answer<Proposed>> apply(Account account) {
            AgentKey key =
                    keyCheck.activeKey(account, caller.key(), caller.address()).orElse(null);
            if (key == null) {
                return Outcome.nothing(Answer.refused(Refusal.unauthorized()));
            }
            if (!key.has(Scope.PROPOSE)) {
                return Outcome.nothing(Answer.refused(Refusal.forbidden(Scope.PROPOSE)));
            }
            return DailyCallCap.usedUp(account, key)
                    .map(refusal -> Outcome.nothing(Answer.<Proposed>refused(refusal)))
                    .orElseGet(() -> Optional.ofNullable(once)
                            .flatMap(account::replay)
                            .map(replay -> replay(account, key, replay))
                            .orElseGet(() -> proposeNew(account, key)));
        }

        /** Counts a replay as a call; it makes no new decision. */
        private Outcome<Answer<Proposed>> replay(Account account, AgentKey key, Replay replay) {
            Outcome.Recording recording = new Outcome.Recording();
            DailyCallCap.count(recording, account, key, 1);
            return recording.answer(receipts -> Answer.given(replayed(account, replay)));
        }

        private Outcome<Answer<Proposed>> proposeNew(Account account, AgentKey key) {
            return limits.refuseDecisions(account, 1)
                    .or(() -> limits.refuseRequest(account, key))
                    .map(refusal -> Outcome.nothing(Answer.<Proposed>refused(refusal)))
                    .orElseGet(() -> decide(account, key));
        }

        private Proposed replayed(Account account, Replay replay) {
            Receipt receipt = account.request(replay.requestId())
                    .map(request -> request.proposal().receipt())
                    .orElse(null);
            return new Proposed(
                    null, replay.requestId(), receipt, true, replay.askedHash().equals(body.hash()));
        }

        private Outcome<Answer<Proposed>> decide(Account account, AgentKey key) {
            Tally tally = account.tally(key.id());
            CapUsage used = TradeCheck.used(account, key);
            CheckedTrade checked = TradeCheck.check(account, key, body.sent(), used);
            Trade trade = checked.trade();
            Outcome.Recording recording = new Outcome.Recording();
            DailyCallCap.count(recording, account, key, 1);
            Long requestId =
                    checked.decision().isAllowed() ? account.requestIds().getAsLong() : null;
            if (requestId != null) {
                queue(recording, account, key, checked, requestId);
                tally = tally.plusUsd(trade.amount()).plusPending(trade);
            }
            DecisionRecord decided = new DecisionRecord(
                    Kind.PROPOSE,
                    null,
                    key.id(),
                    trade,
                    checked.asset(),
                    body.rationale(),
                    checked.held(),
                    used,
                    checked.decision(),
                    checked.approvals(),
                    null,
                    requestId);
            return recording
                    .tally(key.id(), tally.plusCall())
                    .event(DecisionPayload.draft(decided))
                    .answer(receipts ->
                            Answer.given(new Proposed(checked.advised(), requestId, receipts.get(0), false, true)));
        }

        private void queue(
                Outcome.Recording recording, Account account, AgentKey key, CheckedTrade checked, long requestId) {
            Proposal proposal = new Proposal(
                    requestId,
                    key.userId(),
                    key.id(),
                    key.name(),
                    checked.trade(),
                    checked.asset(),
                    body.rationale(),
                    checked.decision(),
                    checked.approvals(),
                    account.now(),
                    account.now().plus(window),
                    null);
            recording.request(Pending.of(proposal));
            if (once != null) {
                recording.replay(new Replay(once, requestId, body.hash(), account.now()));
            }
        }
    }
}
