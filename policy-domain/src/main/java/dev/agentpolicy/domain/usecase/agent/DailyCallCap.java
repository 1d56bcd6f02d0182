package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The daily call cap of a key, as it is counted with decisions (docs/reference/gaps.md, Recording and counting). */
final class DailyCallCap {

    private DailyCallCap() {}

    /** The refusal of a key whose calls of the day are used up. */
    static Optional<Refusal> usedUp(Account account, AgentKey key) {
        Integer cap = key.policy().dailyCallCap();
        return cap == null || account.calls(key) < cap ? Optional.empty() : Optional.of(refusal(cap, account.now()));
    }

    /** Counts calls with what a change records. For a key without a cap nothing is counted. */
    static void count(Outcome.Recording recording, Account account, AgentKey key, int calls) {
        if (key.policy().dailyCallCap() != null) {
            recording.calls(key.id(), account.calls(key) + calls);
        }
    }

    static Refusal refusal(int cap, Instant now) {
        String message = "The daily cap of " + cap + " calls of this key is used up until midnight UTC.";
        return Refusal.throttled(Refusal.Code.DAILY_CALL_CAP, message, (long) cap, secondsToMidnight(now));
    }

    /** Whole seconds until the next UTC day has begun. */
    static long secondsToMidnight(Instant now) {
        Instant midnight = now.atZone(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.DAYS)
                .plusDays(1)
                .toInstant();
        return Duration.between(now, midnight).plusNanos(999_999_999).toSeconds();
    }
}
