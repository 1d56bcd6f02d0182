package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rate limit of the app API, of sessions or of users over all their sessions (docs/reference/limits.md). Each node
 * counts for itself, and only callers that exist.
 *
 * <p>For each caller it keeps one number: when the next call would be due if calls were spread evenly. Calls may run
 * ahead of that by one burst. Thread-safe; every method takes constant time.
 */
public final class CallBudget {
    /** The burst of a session. */
    public static final int BURST = 60;

    static final int PER_SECOND = 20;

    private static final int BURST_OF_A_USER = 2 * BURST;
    private static final int PER_SECOND_OF_A_USER = 2 * PER_SECOND;
    private static final int MAX_CALLERS = 10_000;

    private final int perSecond;
    private final String among;
    private final long intervalMillis;
    private final long maxAheadMillis;
    /** By caller. Those that called least recently are dropped first and then have their full budget again. */
    private final Map<String, Long> nextDue = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_CALLERS;
        }
    };

    private CallBudget(int perSecond, int burst, String among) {
        this.perSecond = perSecond;
        this.among = among;
        this.intervalMillis = 1_000 / perSecond;
        this.maxAheadMillis = burst * intervalMillis;
    }

    /** The budget of a session; callers are hashes of tokens. */
    static CallBudget ofSessions() {
        return new CallBudget(PER_SECOND, BURST, "in this session");
    }

    /** The budget of a user over all sessions; callers are ids of users. */
    static CallBudget ofUsers() {
        return new CallBudget(PER_SECOND_OF_A_USER, BURST_OF_A_USER, "in all sessions of this account");
    }

    /** Whether a caller has called before, so that its calls can be counted without a lookup. */
    synchronized boolean isKnown(String caller) {
        return nextDue.containsKey(caller);
    }

    /**
     * Counts a call of a caller that exists and returns whether it is within the budget. A refused call is not counted.
     */
    synchronized boolean admits(String caller, Instant now) {
        long millis = now.toEpochMilli();
        long due = Math.max(nextDue.getOrDefault(caller, millis), millis);
        if (due - millis > maxAheadMillis) {
            // Only a clock that was set back can be this far behind.
            due = millis;
        }
        boolean isWithin = due - millis <= maxAheadMillis - intervalMillis;
        if (isWithin) {
            nextDue.put(caller, due + intervalMillis);
        }
        return isWithin;
    }

    /** Removes a caller that does not exist any more. */
    synchronized void forget(String caller) {
        nextDue.remove(caller);
    }

    /** The refusal of a call that exceeds the budget. */
    Refusal over() {
        String message = "More than " + perSecond + " calls a second " + among + "; wait a second.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) perSecond, 1);
    }
}
