package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.util.function.BiFunction;

/**
 * A change that an agent asks for. Its key is checked once more inside of the change: whether it works, has the scope
 * and has calls left under its daily call cap, with which decisions are counted (docs/reference/gaps.md, Recording and
 * counting).
 *
 * @param work what is done once the key is known to work
 */
record AgentChange<R>(
        Caller caller,
        KeyCheck keyCheck,
        Scope scope,
        LoadSpec needs,
        int maxDecisions,
        BiFunction<Account, AgentKey, Outcome<Answer<R>>> work)
        implements Change<Answer<R>> {

    @Override
    public Outcome<Answer<R>> apply(Account account) {
        AgentKey key =
                keyCheck.activeKey(account, caller.key(), caller.address()).orElse(null);
        if (key == null) {
            return refused(Refusal.unauthorized());
        }
        if (!key.has(scope)) {
            return refused(Refusal.forbidden(scope));
        }
        Integer cap = key.policy().dailyCallCap();
        if (cap != null && account.calls(key) >= cap) {
            return refused(capReached(cap, account.now()));
        }
        return work.apply(account, key);
    }

    static <R> Outcome<Answer<R>> refused(Refusal refusal) {
        return Outcome.nothing(Answer.refused(refusal));
    }

    /** A recording that counts calls towards the daily call cap, if the key has one. */
    static Outcome.Recording counting(Account account, AgentKey key, int calls) {
        return count(new Outcome.Recording(), account, key, calls);
    }

    /** Counts calls in a recording, likewise. */
    static Outcome.Recording count(Outcome.Recording recording, Account account, AgentKey key, int calls) {
        return key.policy().dailyCallCap() == null ? recording : recording.calls(key.id(), account.calls(key) + calls);
    }

    /** The refusal of a call beyond a daily call cap. */
    static Refusal capReached(int cap, Instant now) {
        String message = "The daily cap of " + cap + " calls of this key is used up until midnight UTC.";
        return Refusal.untilMidnight(Refusal.Code.DAILY_CALL_CAP, message, (long) cap, now);
    }
}
