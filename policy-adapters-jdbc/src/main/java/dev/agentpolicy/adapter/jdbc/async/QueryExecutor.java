package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.sql.DaemonThreads;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Threads that ask the database for callers that do not wait on a thread of their own, and answer them. */
public final class QueryExecutor implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final long LONGEST_SECONDS = 30;

    private final CallbackExecutor answers = new CallbackExecutor();
    private final ThreadPoolExecutor threads;

    /**
     * Threads of a name.
     *
     * @param count how many kinds of things can be asked at the same time
     */
    public QueryExecutor(String name, int count) {
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Those who give callers their answers, here and elsewhere. */
    public CallbackExecutor answers() {
        return answers;
    }

    public <K, V> BatchingReader<K, V> together(Function<Collection<K>, Map<K, V>> asking) {
        return new BatchingReader<>(asking, threads, answers);
    }

    /** Returns when everything that was asked is answered. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, LONGEST_SECONDS);
        answers.close();
    }
}
