package dev.agentpolicy.adapter.jdbc.rate;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store of call counts is there. It is away when its connection is lost, and when for half a second nobody
 * was answered in time. Says so once when it goes and once when it is back, however often it fails in between.
 */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final long TOO_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEVER = 0;

    private volatile boolean isLost = true;
    private volatile boolean isSlow;
    private volatile long lateSince = NEVER;
    private boolean isWarned;

    /** Whether there is no connection, so that asking makes no sense. */
    boolean isLost() {
        return isLost;
    }

    /** Whether calls are admitted uncounted. */
    boolean isAway() {
        return isLost || isSlow;
    }

    /** There is a connection (again). */
    void found() {
        isLost = false;
        inTime();
    }

    /** The connection is gone, or none could be made. */
    void lost(Exception failed) {
        isLost = true;
        warn("The store of call counts is away; until it is back calls are admitted uncounted.", failed);
    }

    /** It answered in time; asked at every call, and so quick where there is nothing to say. */
    void answered() {
        if (lateSince != NEVER && !isLost) {
            inTime();
        }
    }

    /** It did not answer in time. */
    void late() {
        long now = System.nanoTime();
        long since = lateSince;
        if (since == NEVER) {
            lateSince = now == NEVER ? 1 : now;
        } else if (now - since > TOO_LONG_NANOS && !isSlow) {
            isSlow = true;
            warn("The store of call counts is too slow; until it is not calls are admitted uncounted.", null);
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
