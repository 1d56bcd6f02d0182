package dev.agentpolicy.adapter.jdbc.connect;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Creates threads that do not keep the process alive, and ends executors. */
public final class DaemonThreads {

    private DaemonThreads() {}

    public static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Refuses new work and waits for the rest; returns whether it was done in time. */
    public static boolean finish(ExecutorService threads, long maxSeconds) {
        threads.shutdown();
        try {
            return threads.awaitTermination(maxSeconds, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
