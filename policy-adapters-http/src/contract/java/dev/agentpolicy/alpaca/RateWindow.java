package dev.agentpolicy.alpaca;

import java.time.Instant;

/** Counts the calls of an account in a minute that begins with a call. Safe for threads. */
final class RateWindow {
    private static final long SECONDS = 60;

    private int limit = Integer.MAX_VALUE;
    private long end = Long.MIN_VALUE;
    private int used;

    /**
     * What a call leaves of a limit.
     *
     * @param isExceeded whether it was one too many
     * @param resetEpochSecond when the minute ends
     */
    record Budget(int limit, int remaining, boolean isExceeded, long resetEpochSecond) {}

    synchronized void limit(int callsPerMinute) {
        limit = callsPerMinute;
    }

    synchronized Budget use(Instant now) {
        if (now.getEpochSecond() >= end) {
            end = now.getEpochSecond() + SECONDS;
            used = 0;
        }
        used++;
        return new Budget(limit, Math.max(0, limit - used), used > limit, end);
    }
}
