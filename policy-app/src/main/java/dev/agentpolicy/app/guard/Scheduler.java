package dev.agentpolicy.app.guard;

import dev.agentpolicy.domain.account.Unavailable;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Repeats tasks in the background, one at a time, on a daemon thread that bears its name. A task that fails is logged and
 * comes again. Closing ends the repetition, and waits for a task that has begun.
 */
public final class Scheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    private final ScheduledExecutorService thread;

    public Scheduler(String name) {
        thread = Executors.newSingleThreadScheduledExecutor(work -> WorkerPool.daemon(name, work));
    }

    /** A task that may fail. */
    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /**
     * Repeats a task until this is closed.
     *
     * @param what names it in the log
     * @param delay before the first run
     * @param pause between the end of one run and the start of the next
     */
    public void repeat(String what, Duration delay, Duration pause, Task task) {
        var unused = thread.scheduleWithFixedDelay(
                () -> attempt(what, task), delay.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Runs a task; its failure is logged as that of one that comes again. */
    public static void attempt(String what, Task task) {
        try {
            task.run();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (Unavailable away) {
            LOG.atLevel(away.isStopped() ? Level.DEBUG : Level.WARN)
                    .setCause(away)
                    .log("{} failed and comes again", what);
        } catch (Exception failed) {
            LOG.warn("{} failed and comes again", what, failed);
        }
    }

    /** Whether no more work is taken. */
    public boolean isClosing() {
        return thread.isShutdown();
    }

    @Override
    public void close() {
        WorkerPool.finish(thread);
    }
}
