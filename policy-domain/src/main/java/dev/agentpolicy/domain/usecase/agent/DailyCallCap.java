package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.util.Optional;

/**
 * Enforces the daily call cap of a key for calls that are counted together with their decisions
 * (docs/reference/gaps.md, Recording and counting).
 */
final class DailyCallCap {

    private DailyCallCap() {}

    /** Refuses a call of a key that has reached its cap. */
    static Optional<Refusal> usedUp(Account account, AgentKey key) {
        Integer cap = key.policy().dailyCallCap();
        return cap == null || account.calls(key) < cap ? Optional.empty() : Optional.of(refusal(cap, account.now()));
    }

    /** Adds calls to the count as part of a change. Does nothing for a key without a cap. */
    static void count(Outcome.Recording recording, Account account, AgentKey key, int calls) {
        if (key.policy().dailyCallCap() != null) {
            recording.calls(key.id(), account.calls(key) + calls);
        }
    }

    /** The refusal of a call beyond a cap. */
    static Refusal refusal(int cap, Instant now) {
        String message = "The daily cap of " + cap + " calls of this key is used up until midnight UTC.";
        return Refusal.untilMidnight(Refusal.Code.DAILY_CALL_CAP, message, (long) cap, now);
    }
}
