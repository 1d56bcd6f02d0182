package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Threads that run queries for callers that must not block. */
public final class QueryExecutor implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final long LONGEST_SECONDS = 30;

    private final CallbackExecutor answers = new CallbackExecutor();
    private final ThreadPoolExecutor threads;

    /**
     * Threads that are started when they are needed.
     *
     * @param count how many queries may run at the same time
     */
    public QueryExecutor(String name, int count) {
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named(name));
        threads.allowCoreThreadTimeOut(true);
    }

    /** The executor that completes the futures of callers. */
    public CallbackExecutor answers() {
        return answers;
    }

    public <K, V> BatchingReader<K, V> together(Function<Collection<K>, Map<K, V>> asking) {
        return new BatchingReader<>(asking, threads, answers);
    }

    /** Returns when all queries are done and all callers have their results. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, LONGEST_SECONDS);
        answers.close();
    }
}
