package dev.agentpolicy.adapter.http.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks on its own thread whether the database answers. Callers that arrive during a check share the next one, so any
 * number of callers costs one statement at a time.
 *
 * <p>Thread-safe; {@link #ask} does not block.
 */
final class DatabaseProbe {
    private static final long IDLE_SECONDS = 10;

    private final BooleanSupplier isReady;
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DatabaseProbe::daemon);
    private @Nullable CompletableFuture<Boolean> next;

    DatabaseProbe(BooleanSupplier isReady) {
        this.isReady = isReady;
        thread.allowCoreThreadTimeOut(true);
    }

    /** Completes, on the thread of the probe, with the result of a check that starts after this call. */
    synchronized CompletableFuture<Boolean> ask() {
        if (next == null) {
            next = new CompletableFuture<>();
            thread.execute(this::probe);
        }
        return next;
    }

    private void probe() {
        CompletableFuture<Boolean> asked = begun();
        try {
            asked.complete(isReady.getAsBoolean());
        } catch (RuntimeException failed) {
            asked.completeExceptionally(failed);
        }
    }

    private synchronized CompletableFuture<Boolean> begun() {
        CompletableFuture<Boolean> asked = next;
        if (asked == null) {
            throw new IllegalStateException("A probe started although no caller asked for one.");
        }
        next = null;
        return asked;
    }

    private static Thread daemon(Runnable work) {
        Thread made = new Thread(work, "database-probe");
        made.setDaemon(true);
        return made;
    }
}
