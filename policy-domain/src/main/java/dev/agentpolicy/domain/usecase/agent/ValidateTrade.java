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
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers "may I?" for a trade or a batch of trades, and records every decision (specification, Behaviour rules 1 to
 * 3).
 */
public record ValidateTrade(Accounts accounts, KeyCheck keyCheck, AgentLimits limits) {
    public static final int MAX_BATCH = 25;

    /**
     * A value that was recorded in the log.
     *
     * @param value what was recorded
     * @param receipt the receipt of the last event; null when no event was recorded
     */
    public record Recorded<T>(T value, @Nullable Receipt receipt) {

        private static <T> Recorded<T> last(T value, List<Receipt> receipts) {
            return new Recorded<>(value, receipts.isEmpty() ? null : receipts.get(receipts.size() - 1));
        }
    }

    /** Checks one trade. */
    public CompletionStage<Answer<Recorded<AdvisedDecision>>> one(Caller caller, SentTrade trade) {
        return accounts.change(caller.account(), new Validation<>(caller, 1, (account, key) -> {
            CapUsage used = TradeCheck.used(account, key);
            CheckedTrade checked = TradeCheck.check(account, key, trade, used);
            Outcome.Recording recording = new Outcome.Recording();
            DailyCallCap.count(recording, account, key, 1);
            return recording
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(DecisionPayload.draft(record(Kind.VALIDATE, null, key, checked, used)))
                    .answer(receipts -> Answer.given(Recorded.last(checked.advised(), receipts)));
        }));
    }

    /**
     * Checks a batch of trades in order. Trades allowed earlier in the batch count towards the daily USD cap of those
     * after them. An item that could not be read is also a decision. Each item counts as one call; an empty batch
     * counts as one call and records nothing else.
     */
    public CompletionStage<Answer<Recorded<List<AdvisedDecision>>>> batch(
            Caller caller, List<Reading<SentTrade>> items) {
        return accounts.change(caller.account(), new Validation<>(caller, items.size(), (account, key) -> {
            Outcome.Recording recording = new Outcome.Recording();
            List<AdvisedDecision> decisions = new ArrayList<>(items.size());
            Tally tally = account.tally(key.id());
            CapUsage used = TradeCheck.used(account, key);
            DailyCallCap.count(recording, account, key, Math.max(1, items.size()));
            for (int i = 0; i < items.size(); i++) {
                Reading<SentTrade> item = items.get(i);
                SentTrade sent = item.<@Nullable SentTrade>fold(read -> read, problems -> null);
                if (sent == null) {
                    Decision decision = unreadable(account, item.problems());
                    recording.event(DecisionPayload.draft(unreadable(i, key, decision, used)));
                    decisions.add(AdvisedDecision.ofUnreadable(decision));
                    used = new CapUsage(used.calls() + 1, used.usd(), used.aum());
                } else {
                    CheckedTrade checked = TradeCheck.check(account, key, sent, used);
                    recording.event(DecisionPayload.draft(record(Kind.VALIDATE_BATCH, i, key, checked, used)));
                    decisions.add(checked.advised());
                    Usd counted =
                            checked.decision().isAllowed() ? checked.trade().amount() : Usd.ZERO;
                    used = new CapUsage(used.calls() + 1, used.usd().plus(counted), used.aum());
                }
                tally = tally.plusCall();
            }
            if (!items.isEmpty()) {
                recording.tally(key.id(), tally);
            }
            return recording.answer(receipts -> Answer.given(Recorded.last(List.copyOf(decisions), receipts)));
        }));
    }

    private static Decision unreadable(Account account, List<Problem> problems) {
        return new Decision(TradePayload.violations(problems), null, null, account.now());
    }

    private static DecisionRecord unreadable(int index, AgentKey key, Decision decision, CapUsage used) {
        return new DecisionRecord(
                Kind.VALIDATE_BATCH, index, key.id(), null, null, null, null, used, decision, List.of(), null, null);
    }

    private static DecisionRecord record(
            Kind kind, @Nullable Integer index, AgentKey key, CheckedTrade checked, CapUsage used) {
        return new DecisionRecord(
                kind,
                index,
                key.id(),
                checked.trade(),
                checked.asset(),
                null,
                checked.held(),
                used,
                checked.decision(),
                checked.approvals(),
                null,
                null);
    }

    /** The part of a change that runs once the key is known to work. */
    private interface KeyedChange<R> {
        Outcome<Answer<R>> apply(Account account, AgentKey key);
    }

    /**
     * Refuses the call if the key no longer works, lacks the scope or has reached its cap, or the account its limit.
     */
    private final class Validation<R> implements Change<Answer<R>> {
        private final Caller caller;
        private final int decisions;
        private final KeyedChange<R> work;

        Validation(Caller caller, int decisions, KeyedChange<R> work) {
            this.caller = caller;
            this.decisions = decisions;
            this.work = work;
        }

        @Override
        public LoadSpec needs() {
            return LoadSpec.call(caller.key().id());
        }

        @Override
        public int maxDecisions() {
            return decisions;
        }

        @Override
        public Outcome<Answer<R>> apply(Account account) {
            AgentKey key =
                    keyCheck.activeKey(account, caller.key(), caller.address()).orElse(null);
            if (key == null) {
                return Outcome.nothing(Answer.refused(Refusal.unauthorized()));
            }
            if (!key.has(Scope.VALIDATE)) {
                return Outcome.nothing(Answer.refused(Refusal.forbidden(Scope.VALIDATE)));
            }
            return DailyCallCap.usedUp(account, key)
                    .or(() -> limits.refuseDecisions(account, decisions))
                    .map(refusal -> Outcome.nothing(Answer.<R>refused(refusal)))
                    .orElseGet(() -> work.apply(account, key));
        }
    }
}
