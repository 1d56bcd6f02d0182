package dev.agentpolicy.adapter.jdbc.rate;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the shared store of call counts. It is unavailable when its connection is lost, or when no answer has been in
 * time for half a second. Logs the beginning and the end of an outage once each.
 */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final long TOO_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEVER = 0;

    private volatile boolean isLost = true;
    private volatile boolean isSlow;
    private volatile long lateSince = NEVER;
    private boolean isWarned;

    /** Whether there is no connection, so no call is sent. */
    boolean isLost() {
        return isLost;
    }

    /** Whether calls are admitted uncounted. */
    boolean isAway() {
        return isLost || isSlow;
    }

    /** Records that a connection was made. */
    void found() {
        isLost = false;
        inTime();
    }

    /** Records that the connection was lost, or that none could be made. */
    void lost(Exception failed) {
        isLost = true;
        warn("The store of call counts is unavailable; until it is back, calls are admitted uncounted.", failed);
    }

    /** Records an answer in time. Called at every call, so the usual case is fast. */
    void answered() {
        if (lateSince != NEVER && !isLost) {
            inTime();
        }
    }

    /** Records that an answer was late. */
    void late() {
        long now = System.nanoTime();
        long since = lateSince;
        if (since == NEVER) {
            lateSince = now == NEVER ? 1 : now;
        } else if (now - since > TOO_LONG_NANOS && !isSlow) {
            isSlow = true;
            warn("The store of call counts is too slow; until it recovers, calls are admitted uncounted.", null);
        }
    }

    private void inTime() {
        lateSince = NEVER;
        isSlow = false;
        back();
    }

    private synchronized void warn(String message, @Nullable Exception failed) {
        if (!isWarned) {
            isWarned = true;
            LOG.warn(message, failed);
        }
    }

    private synchronized void back() {
        if (isWarned && !isLost) {
            isWarned = false;
            LOG.info("The store of call counts is back.");
        }
    }
}
