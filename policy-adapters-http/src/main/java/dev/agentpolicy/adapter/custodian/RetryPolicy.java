package dev.agentpolicy.adapter.custodian;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often a broker is asked, and how long one call may take. The pause doubles after each attempt up to the longest
 * one; each is shortened at random by up to half, so that callers who failed together do not return together.
 *
 * @param maxAttempts at least 1; the first one counts
 * @param timeout of one attempt, from the connection to the last byte of the answer
 * @param firstPause before the second attempt
 * @param maxPause between two attempts, also when the broker names a time
 */
public record RetryPolicy(int maxAttempts, Duration timeout, Duration firstPause, Duration maxPause) {
    /**
     * Four attempts of up to 10 seconds each, with pauses of up to 0.5, 1 and 2 seconds, or 5 when the broker asks for it.
     */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(4, Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ofSeconds(5));

    private static final int MAX_DOUBLINGS = 20;

    /** @throws IllegalArgumentException when there is no attempt, or a duration is not positive */
    public RetryPolicy {
        if (maxAttempts < 1 || !isPositive(timeout) || !isPositive(firstPause) || firstPause.compareTo(maxPause) > 0) {
            throw new IllegalArgumentException(
                    "A retry policy needs an attempt, positive durations, and a longest pause that is not below the first.");
        }
    }

    /** The pause after an attempt that failed; the first attempt is 1. */
    Duration pauseAfter(int attempt) {
        long millis = firstPause.toMillis() << Math.min(attempt - 1, MAX_DOUBLINGS);
        long bounded = Math.max(1, Math.min(millis, maxPause.toMillis()));
        return Duration.ofMillis(bounded - ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
    }

    private static boolean isPositive(Duration duration) {
        return !duration.isNegative() && !duration.isZero();
    }
}
