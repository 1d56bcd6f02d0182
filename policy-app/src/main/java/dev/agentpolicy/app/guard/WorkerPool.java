package dev.agentpolicy.app.guard;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of threads for work that must not block the threads that answer calls. */
public final class WorkerPool implements Executor, AutoCloseable {
    private static final long MAX_WORK_SECONDS = 30;
    private static final long MAX_IDLE_SECONDS = 10;

    private final AtomicInteger made = new AtomicInteger();
    private final ExecutorService threads;

    /**
     * Starts threads when they are needed, and ends them when they are not.
     *
     * @param count the most threads at the same time
     */
    public WorkerPool(String name, int count) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                count,
                count,
                MAX_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(name + "-" + made.incrementAndGet(), task));
        pool.allowCoreThreadTimeOut(true);
        threads = pool;
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        finish(threads);
    }

    /** A thread that does not keep the process alive. */
    public static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Takes no more work and finishes the work it has accepted. */
    public static void finish(ExecutorService threads) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(MAX_WORK_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException hurried) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
