package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Completes the futures of callers on threads of its own, so that a slow callback never delays the next commit. */
public final class CallbackExecutor implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int CHUNK = 8;
    private static final long MAX_SECONDS = 30;

    /** Unbounded itself, but the lanes limit how many callers there are. */
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("policy-answers"));

    public void give(List<Runnable> answers) {
        for (int from = 0; from < answers.size(); from += CHUNK) {
            List<Runnable> some = answers.subList(from, Math.min(from + CHUNK, answers.size()));
            threads.execute(() -> some.forEach(Runnable::run));
        }
    }

    /** Returns when all tasks are done. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, MAX_SECONDS);
    }
}
