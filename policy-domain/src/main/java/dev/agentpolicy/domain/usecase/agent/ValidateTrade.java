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
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
        return change(caller, 1, 1, (account, key) -> {
            CapUsage used = TradeCheck.used(account, key);
            CheckedTrade checked = TradeCheck.check(account, key, trade, used);
            return AgentChange.counting(account, key, 1)
                    .tally(key.id(), account.tally(key.id()).plusCall())
                    .event(DecisionPayload.draft(checked.record(Kind.VALIDATE, null, key, null, used, null)))
                    .answer(receipts -> Answer.given(Recorded.last(checked.advised(key), receipts)));
        });
    }

    /**
     * Checks a batch of trades in order. Trades allowed earlier in the batch count towards the daily USD cap, the flow
     * limits and the approvals of those after them. An item that could not be read is also a decision. Each item counts as one call; an empty batch
     * counts as one call and records nothing else.
     */
    public CompletionStage<Answer<Recorded<List<AdvisedDecision>>>> batch(
            Caller caller, List<Reading<SentTrade>> items) {
        return change(caller, items.size(), items.size(), (account, key) -> {
            List<AdvisedDecision> decisions = new ArrayList<>(items.size());
            return decide(account, key, items, decision -> false, decisions)
                    .answer(receipts -> Answer.given(Recorded.last(List.copyOf(decisions), receipts)));
        });
    }

    /**
     * The decisions of the first items of a list.
     *
     * @param decided one for each item that was decided
     * @param refused why the items after them were not, if the list was not ended by a decision; otherwise null
     */
    public record Evaluations(
            List<Recorded<AdvisedDecision>> decided,
            @Nullable Refusal refused) {
        public Evaluations {
            decided = List.copyOf(decided);
        }
    }

    /**
     * Checks trades as a batch, up to the first decision that ends it or the last item that the daily call cap and the
     * limit of decisions admit. The call is refused if not even the first item is admitted.
     *
     * @param items at least one
     * @param isLast whether nothing after a decision is checked
     */
    public CompletionStage<Answer<Evaluations>> upTo(
            Caller caller, List<Reading<SentTrade>> items, Predicate<Decision> isLast) {
        return change(caller, 1, items.size(), (account, key) -> {
            int admitted = 1;
            Optional<Refusal> refused = Optional.empty();
            while (admitted < items.size() && refused.isEmpty()) {
                refused = refusedAfter(account, key, admitted);
                admitted += refused.isEmpty() ? 1 : 0;
            }
            Refusal beyond = refused.orElse(null);
            List<AdvisedDecision> decisions = new ArrayList<>(admitted);
            return decide(account, key, items.subList(0, admitted), isLast, decisions)
                    .answer(receipts -> Answer.given(new Evaluations(
                            IntStream.range(0, decisions.size())
                                    .mapToObj(i -> new Recorded<>(decisions.get(i), receipts.get(i)))
                                    .toList(),
                            beyond)));
        });
    }

    /** Why no item of a list is decided after so many. */
    private Optional<Refusal> refusedAfter(Account account, AgentKey key, int decided) {
        Integer cap = key.policy().dailyCallCap();
        return cap != null && account.calls(key) + decided >= cap
                ? Optional.of(AgentChange.capReached(cap, account.now()))
                : limits.refuseDecisions(account, decided + 1);
    }

    /** Decides items up to the first decision that ends the list, and adds their decisions to a list. */
    private static Outcome.Recording decide(
            Account account,
            AgentKey key,
            List<Reading<SentTrade>> items,
            Predicate<Decision> isLast,
            List<AdvisedDecision> decisions) {
        Outcome.Recording recording = new Outcome.Recording();
        Tally tally = account.tally(key.id());
        CapUsage used = TradeCheck.used(account, key);
        AccountState state = AccountState.of(account);
        boolean isOver = false;
        for (int i = 0; i < items.size() && !isOver; i++) {
            SentTrade sent = items.get(i).<@Nullable SentTrade>fold(read -> read, problems -> null);
            Usd counted = Usd.ZERO;
            Decision decision;
            if (sent == null) {
                List<Violation> problems = TradePayload.violations(items.get(i).problems());
                decision = new Decision(problems, null, null, account.now());
                recording.event(DecisionPayload.draft(unreadable(i, key, decision, used)));
                decisions.add(AdvisedDecision.ofUnreadable(decision));
            } else {
                CheckedTrade checked = TradeCheck.check(state, key, sent, used);
                decision = checked.decision();
                recording.event(DecisionPayload.draft(checked.record(Kind.VALIDATE_BATCH, i, key, null, used, null)));
                decisions.add(checked.advised(key));
                if (decision.isAllowed()) {
                    counted = checked.trade().amount();
                    state = state.plus(key.id(), checked.trade(), checked.approvals());
                }
            }
            used = new CapUsage(used.calls() + 1, used.usd().plus(counted), used.aum());
            tally = tally.plusCall();
            isOver = isLast.test(decision);
        }
        AgentChange.count(recording, account, key, Math.max(1, decisions.size()));
        return decisions.isEmpty() ? recording : recording.tally(key.id(), tally);
    }

    private static DecisionRecord unreadable(int index, AgentKey key, Decision decision, CapUsage used) {
        return new DecisionRecord(
                Kind.VALIDATE_BATCH,
                index,
                key.id(),
                null,
                null,
                null,
                null,
                used,
                decision,
                List.of(),
                List.of(),
                List.of(),
                null,
                null);
    }

    /**
     * @param least decisions that the limit of the day must admit
     * @param most decisions that may be recorded
     */
    private <R> CompletionStage<Answer<R>> change(
            Caller caller, int least, int most, BiFunction<Account, AgentKey, Outcome<Answer<R>>> work) {
        LoadSpec needs = LoadSpec.call(caller.key().id());
        return accounts.change(
                caller.account(),
                new AgentChange<>(
                        caller,
                        keyCheck,
                        Scope.VALIDATE,
                        needs,
                        most,
                        (account, key) -> limits.refuseDecisions(account, least)
                                .map(AgentChange::<R>refused)
                                .orElseGet(() -> work.apply(account, key))));
    }
}
