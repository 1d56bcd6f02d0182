package dev.agentpolicy.adapter.jdbc.connect;

import dev.agentpolicy.domain.account.Unavailable;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.function.Supplier;

/** The retry policy for work on the database: at most {@value #MAX_TRIES} tries, and none after some time. */
public final class Retries {
    private static final int MAX_TRIES = 5;
    private static final Duration PATIENCE_AFTER_LOST_ANSWER = Duration.ofSeconds(5);

    private final long begunNanos;
    private final Duration patience;
    private int failures;

    /** @param patience how long after now tries may begin */
    public Retries(Duration patience) {
        this(System.nanoTime(), patience);
    }

    /** @param begunNanos the start of the patience, by {@link System#nanoTime} */
    public Retries(long begunNanos, Duration patience) {
        this.begunNanos = begunNanos;
        this.patience = patience;
    }

    /** Counts a try that failed. */
    public void count() {
        failures++;
    }

    /** Whether as many tries have failed as there may be. */
    public boolean isExhausted() {
        return failures >= MAX_TRIES;
    }

    /** Whether the patience is over. */
    public boolean isOver() {
        return System.nanoTime() - begunNanos > patience.toNanos();
    }

    /** Counts a try that failed; returns whether there may be another one. */
    public boolean isNextAllowed() {
        count();
        return !isExhausted() && !isOver();
    }

    /** Makes an idempotent change, and makes it again if it was sent and its answer was lost. */
    public static <T> T whenAnswerIsLost(Supplier<T> change) {
        Retries retries = new Retries(PATIENCE_AFTER_LOST_ANSWER);
        while (true) {
            try {
                return change.get();
            } catch (Unavailable away) {
                boolean wasSent = !(SqlFailed.in(away) instanceof SQLTransientConnectionException);
                if (!wasSent || !retries.isNextAllowed()) {
                    throw away;
                }
            }
        }
    }
}
