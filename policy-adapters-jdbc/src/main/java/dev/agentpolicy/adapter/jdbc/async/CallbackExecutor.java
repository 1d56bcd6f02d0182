package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.sql.DaemonThreads;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Gives callers their answers on threads of its own, so that a slow reader of one never holds up the next commit. */
public final class CallbackExecutor implements AutoCloseable {
    private static final int THREADS = 2;
    private static final int CHUNK = 8;
    private static final long LONGEST_SECONDS = 30;

    /** The queue is bounded by what the lanes admit. */
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("policy-answers"));

    public void give(List<Runnable> answers) {
        for (int from = 0; from < answers.size(); from += CHUNK) {
            List<Runnable> some = answers.subList(from, Math.min(from + CHUNK, answers.size()));
            threads.execute(() -> some.forEach(Runnable::run));
        }
    }

    /** Returns when everything was given. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, LONGEST_SECONDS);
    }
}
