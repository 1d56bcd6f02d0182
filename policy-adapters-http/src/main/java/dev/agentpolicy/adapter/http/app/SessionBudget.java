package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The rate limit of a session in the app API: {@value #PER_SECOND} calls a second, in bursts of {@value #BURST}
 * (docs/reference/limits.md). Each node counts for itself, and only sessions that exist.
 *
 * <p>For each session it keeps one number: when the next call would be due if calls were spread evenly. Calls may run
 * ahead of that by one burst. Thread-safe; every method takes constant time.
 */
public final class SessionBudget {
    static final int PER_SECOND = 20;
    public static final int BURST = 60;

    private static final long INTERVAL_MILLIS = 1_000 / PER_SECOND;
    private static final long MAX_AHEAD_MILLIS = BURST * INTERVAL_MILLIS;
    private static final int MAX_SESSIONS = 10_000;

    /**
     * By hash of the token. The sessions that called least recently are dropped first and then have their full budget
     * again.
     */
    private final Map<String, Long> nextDue = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_SESSIONS;
        }
    };

    /** Whether a session has called before, so that its calls can be counted without a lookup. */
    synchronized boolean isKnown(String session) {
        return nextDue.containsKey(session);
    }

    /**
     * Counts a call of an existing session and returns whether it is within the budget. A refused call is not counted.
     */
    synchronized boolean admits(String session, Instant now) {
        long millis = now.toEpochMilli();
        long due = Math.max(nextDue.getOrDefault(session, millis), millis);
        if (due - millis > MAX_AHEAD_MILLIS) {
            // Only a clock that was set back can be this far behind.
            due = millis;
        }
        boolean isWithin = due - millis <= MAX_AHEAD_MILLIS - INTERVAL_MILLIS;
        if (isWithin) {
            nextDue.put(session, due + INTERVAL_MILLIS);
        }
        return isWithin;
    }

    /** Removes a session that has ended. */
    synchronized void forget(String session) {
        nextDue.remove(session);
    }

    /** The refusal of a call that exceeds the budget. */
    static Refusal over() {
        String message = "More than " + PER_SECOND + " calls a second in this session; wait a second.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) PER_SECOND, 1);
    }
}
