package dev.agentpolicy.domain.simulation;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A thread of a node. While it runs, the one that started or woke it waits, so that the simulation still does one thing at
 * a time and a seed gives the same run again.
 */
final class SimulatedThread {
    private static final ExecutorService POOL = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "simulated");
        thread.setDaemon(true);
        return thread;
    });
    private static final ThreadLocal<SimulatedThread> CURRENT = new ThreadLocal<>();
    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasStopped = new Semaphore(0);
    private boolean isOver;
    private boolean isKilled;

    /** Ends a thread whose process has crashed. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed() {
            super(null, null, false, false);
        }
    }

    /** Starts a thread. Returns when it ends or waits for the first time. */
    static SimulatedThread start(Runnable work) {
        SimulatedThread thread = new SimulatedThread();
        POOL.execute(() -> thread.run(work));
        thread.hasStopped.acquireUninterruptibly();
        return thread;
    }

    private void run(Runnable work) {
        CURRENT.set(this);
        try {
            work.run();
        } catch (Killed crashed) {
            // Nothing of the process goes on.
        } finally {
            CURRENT.remove();
            isOver = true;
            hasStopped.release();
        }
    }

    /** The result of a stage, for which the present thread waits. */
    static <T> T await(CompletionStage<T> stage) {
        CompletableFuture<T> result = stage.toCompletableFuture();
        if (!result.isDone()) {
            SimulatedThread waiting = CURRENT.get();
            result.whenComplete((value, failed) -> waiting.goOn());
            waiting.hasStopped.release();
            waiting.mayRun.acquireUninterruptibly();
            if (waiting.isKilled) {
                throw new Killed();
            }
        }
        try {
            return result.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    /** Ends all threads of a process where they wait. What one ends no longer lets another one go on. */
    static void kill(Collection<SimulatedThread> threads) {
        threads.forEach(thread -> thread.isKilled = true);
        threads.forEach(SimulatedThread::goOn);
    }

    private void goOn() {
        if (!isOver) {
            mayRun.release();
            hasStopped.acquireUninterruptibly();
        }
    }
}
