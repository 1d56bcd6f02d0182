package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls that a session may make of the app API: {@value #PER_SECOND} a second, in bursts of {@value #BURST}
 * (docs/reference/limits.md). Counted on each node by itself, for sessions that were found to exist.
 *
 * <p>Of each session only the moment is kept at which its next call would be due if all calls were spread evenly; calls
 * may run ahead of it by a burst. Thread-safe; every call takes constant time.
 */
public final class SessionBudget {
    static final int PER_SECOND = 20;
    public static final int BURST = 60;

    private static final long INTERVAL_MILLIS = 1_000 / PER_SECOND;
    private static final long MAX_AHEAD_MILLIS = BURST * INTERVAL_MILLIS;
    private static final int MAX_SESSIONS = 10_000;

    /** By the hash of their token; those that called longest ago are forgotten first, and have their whole budget again. */
    private final Map<String, Long> nextDue = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_SESSIONS;
        }
    };

    /** Whether a session has called before, so that its calls need no look-up to be counted. */
    synchronized boolean isKnown(String session) {
        return nextDue.containsKey(session);
    }

    /** Counts a call of a session that exists; answers whether it is within the budget. What is not is not counted. */
    synchronized boolean admits(String session, Instant now) {
        long millis = now.toEpochMilli();
        long due = Math.max(nextDue.getOrDefault(session, millis), millis);
        if (due - millis > MAX_AHEAD_MILLIS) {
            // Only a clock that was set back can be so far behind.
            due = millis;
        }
        boolean isWithin = due - millis <= MAX_AHEAD_MILLIS - INTERVAL_MILLIS;
        if (isWithin) {
            nextDue.put(session, due + INTERVAL_MILLIS);
        }
        return isWithin;
    }

    /** Forgets a session that has ended. */
    synchronized void forget(String session) {
        nextDue.remove(session);
    }

    /** The answer to a call beyond the budget. */
    static Refusal over() {
        String message = "More than " + PER_SECOND + " calls a second in this session; wait a second.";
        return Refusal.throttled(Refusal.Code.RATE_LIMITED, message, (long) PER_SECOND, 1);
    }
}
