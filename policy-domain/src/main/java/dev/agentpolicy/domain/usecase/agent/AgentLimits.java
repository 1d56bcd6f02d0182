package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.usecase.Refusal;
import java.util.Optional;

/**
 * What the operator lets the agents of one account cause at most, whatever their keys allow (docs/configuration.md).
 *
 * @param maxPendingPerKey requests of one key that are neither completed nor rejected; 0 is no limit
 * @param decisionsPerDay decisions of all agents of an account on one UTC day; 0 is no limit
 */
public record AgentLimits(int maxPendingPerKey, long decisionsPerDay) {
    public static final AgentLimits NONE = new AgentLimits(0, 0);

    private static final long RETRY_PENDING_SECONDS = 60;

    public AgentLimits {
        if (maxPendingPerKey < 0 || decisionsPerDay < 0) {
            throw new IllegalArgumentException("A limit must be 0 or more.");
        }
    }

    /** The refusal of decisions that no longer fit into the day of an account; all of them or none are made. */
    Optional<Refusal> refuseDecisions(Account account, int decisions) {
        if (decisionsPerDay == 0 || account.decisionsToday() + decisions <= decisionsPerDay) {
            return Optional.empty();
        }
        String message = "This account's agents may be given " + decisionsPerDay
                + " decisions a day, and this call would pass that; the next day begins at midnight UTC.";
        return Optional.of(Refusal.throttled(
                Refusal.Code.QUOTA_EXCEEDED, message, null, DailyCallCap.secondsToMidnight(account.now())));
    }

    /** The refusal of a proposal of a key that has too many requests waiting. */
    Optional<Refusal> refuseRequest(Account account, AgentKey key) {
        if (maxPendingPerKey == 0 || account.tally(key.id()).pending() < maxPendingPerKey) {
            return Optional.empty();
        }
        String message = "This key has " + maxPendingPerKey
                + " requests that wait for the user already; propose again when some are resolved.";
        return Optional.of(Refusal.throttled(Refusal.Code.TOO_MANY_PENDING, message, null, RETRY_PENDING_SECONDS));
    }
}
