package dev.agentpolicy.app;

import dev.agentpolicy.app.config.FailureReport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the process on a signal at any time: accepted calls are finished, and the exit code is
 * 0 instead of that of the signal.
 */
final class GracefulShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(GracefulShutdown.class);
    private static final long MAX_START_SECONDS = 60;

    private final CompletableFuture<Running> started = new CompletableFuture<>();
    private final Thread hook = new Thread(this::drain, "drain");
    private volatile boolean isStopping;
    private volatile int exitCode;

    private GracefulShutdown() {}

    /** Begins to listen for the signal; to be called before anything is opened. */
    static GracefulShutdown prepare() {
        GracefulShutdown drain = new GracefulShutdown();
        Runtime.getRuntime().addShutdownHook(drain.hook);
        return drain;
    }

    /** Sets the service to close. */
    void begin(Running running) {
        started.complete(running);
    }

    /** Nothing was opened, so nothing is to be closed. */
    void forget(Throwable failed) {
        started.completeExceptionally(failed);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException stopping) {
            LOG.debug("The process is being stopped already.", stopping);
        }
    }

    /** Ends the service after a failure, without a signal. */
    void fail() {
        exitCode = FailureReport.EXIT_CODE;
    }

    /** Whether what fails now may fail only because everything is being closed. */
    boolean isStopping() {
        return isStopping;
    }

    private void drain() {
        isStopping = true;
        int code = FailureReport.EXIT_CODE;
        try {
            close();
            code = exitCode;
        } catch (RuntimeException | Error failed) {
            LOG.error("Stopping failed", failed);
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }

    /** A signal during the start waits for the end of the start, because a half-opened service cannot be closed cleanly. */
    private void close() {
        try {
            started.get(MAX_START_SECONDS, TimeUnit.SECONDS).close();
            LOG.info("Stopped");
        } catch (ExecutionException neverBegun) {
            LOG.info("Stopped before it began", neverBegun.getCause());
        } catch (TimeoutException stuck) {
            LOG.warn("Stopped while it could not begin");
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
