package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
        return change(caller, 1, (account, key) -> {
            CapUsage used = TradeCheck.used(account, key);
            CheckedTrade checked = TradeCheck.check(account, key, trade, used);
            return AgentChange.counting(account, key, 1)
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(DecisionPayload.draft(checked.record(Kind.VALIDATE, null, key, null, used, null)))
                    .answer(receipts -> Answer.given(Recorded.last(checked.advised(), receipts)));
        });
    }

    /**
     * Checks a batch of trades in order. Trades allowed earlier in the batch count towards the daily USD cap and the flow
     * limits of those after them. An item that could not be read is also a decision. Each item counts as one call; an empty batch
     * counts as one call and records nothing else.
     */
    public CompletionStage<Answer<Recorded<List<AdvisedDecision>>>> batch(
            Caller caller, List<Reading<SentTrade>> items) {
        return change(caller, items.size(), (account, key) -> {
            Outcome.Recording recording = AgentChange.counting(account, key, Math.max(1, items.size()));
            List<AdvisedDecision> decisions = new ArrayList<>(items.size());
            Tally tally = account.tally(key.id());
            CapUsage used = TradeCheck.used(account, key);
            AccountState state = AccountState.of(account);
            for (int i = 0; i < items.size(); i++) {
                Reading<SentTrade> item = items.get(i);
                SentTrade sent = item.<@Nullable SentTrade>fold(read -> read, problems -> null);
                Usd counted = Usd.ZERO;
                if (sent == null) {
                    Decision decision =
                            new Decision(TradePayload.violations(item.problems()), null, null, account.now());
                    recording.event(DecisionPayload.draft(unreadable(i, key, decision, used)));
                    decisions.add(AdvisedDecision.ofUnreadable(decision));
                } else {
                    CheckedTrade checked = TradeCheck.check(state, key, sent, used);
                    recording.event(
                            DecisionPayload.draft(checked.record(Kind.VALIDATE_BATCH, i, key, null, used, null)));
                    decisions.add(checked.advised());
                    if (checked.decision().isAllowed()) {
                        counted = checked.trade().amount();
                        state = state.plus(key.id(), checked.trade());
                    }
                }
                used = new CapUsage(used.calls() + 1, used.usd().plus(counted), used.aum());
                tally = tally.plusCall();
            }
            if (!items.isEmpty()) {
                recording.tally(key.id(), tally);
            }
            return recording.answer(receipts -> Answer.given(Recorded.last(List.copyOf(decisions), receipts)));
        });
    }

    private static DecisionRecord unreadable(int index, AgentKey key, Decision decision, CapUsage used) {
        return new DecisionRecord(
                Kind.VALIDATE_BATCH, index, key.id(), null, null, null, null, used, decision, List.of(), null, null);
    }

    private <R> CompletionStage<Answer<R>> change(
            Caller caller, int decisions, BiFunction<Account, AgentKey, Outcome<Answer<R>>> work) {
        LoadSpec needs = LoadSpec.call(caller.key().id());
        return accounts.change(
                caller.account(),
                new AgentChange<>(
                        caller,
                        keyCheck,
                        Scope.VALIDATE,
                        needs,
                        decisions,
                        (account, key) -> limits.refuseDecisions(account, decisions)
                                .map(AgentChange::<R>refused)
                                .orElseGet(() -> work.apply(account, key))));
    }
}
