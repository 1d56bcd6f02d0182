package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.usecase.Refusal;
import java.util.Optional;

/**
 * Limits that the operator sets for the agents of each account, in addition to the caps of keys
 * (docs/configuration.md).
 *
 * @param maxPendingPerKey maximum number of pending requests of a key; 0 for no limit
 * @param decisionsPerDay maximum number of decisions of an account on a UTC day, over all keys; 0 for no limit
 */
public record AgentLimits(int maxPendingPerKey, long decisionsPerDay) {
    public static final AgentLimits NONE = new AgentLimits(0, 0);

    private static final long RETRY_PENDING_SECONDS = 60;

    public AgentLimits {
        if (maxPendingPerKey < 0 || decisionsPerDay < 0) {
            throw new IllegalArgumentException("A limit must be 0 or more.");
        }
    }

    /** Refuses a call whose decisions would exceed the limit of the day; either all of them are made or none. */
    Optional<Refusal> refuseDecisions(Account account, int decisions) {
        if (decisionsPerDay == 0 || account.decisionsToday() + decisions <= decisionsPerDay) {
            return Optional.empty();
        }
        String message = "This account's agents may be given " + decisionsPerDay
                + " decisions a day, and this call would pass that; the next day begins at midnight UTC.";
        return Optional.of(Refusal.untilMidnight(Refusal.Code.QUOTA_EXCEEDED, message, null, account.now()));
    }

    /** Refuses a proposal of a key that has reached its limit of pending requests. */
    Optional<Refusal> refuseRequest(Account account, AgentKey key) {
        if (maxPendingPerKey == 0 || account.tally(key.id()).pending() < maxPendingPerKey) {
            return Optional.empty();
        }
        String message = "This key has " + maxPendingPerKey
                + " requests that wait for the user already; propose again when some are resolved.";
        return Optional.of(Refusal.throttled(Refusal.Code.TOO_MANY_PENDING, message, null, RETRY_PENDING_SECONDS));
    }
}
