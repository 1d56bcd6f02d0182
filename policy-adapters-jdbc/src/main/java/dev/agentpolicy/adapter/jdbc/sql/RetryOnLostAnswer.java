package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.account.Unavailable;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Changes that may be made more than once: after a lost answer nobody knows whether they were made. */
public final class RetryOnLostAnswer {
    /** As long as lanes look for what became of a commit. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final int MAX_TRIES = 5;

    private RetryOnLostAnswer() {}

    /** Makes a change, and makes it again when it was sent and its answer did not come. */
    public static <T> T whenLost(Supplier<T> change) {
        long begun = System.nanoTime();
        for (int tries = 1; ; tries++) {
            try {
                return change.get();
            } catch (Unavailable away) {
                if (!wasSent(away) || tries == MAX_TRIES || System.nanoTime() - begun > PATIENCE_NANOS) {
                    throw away;
                }
            }
        }
    }

    /** Whether there was a connection. */
    private static boolean wasSent(Unavailable away) {
        return !(SqlFailed.in(away) instanceof SQLTransientConnectionException);
    }
}
