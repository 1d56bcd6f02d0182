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
    private static final long MAX_SECONDS = 30;

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

    /** A reader whose queries run on these threads. */
    public <K, V> BatchingReader<K, V> batching(Function<Collection<K>, Map<K, V>> query) {
        return new BatchingReader<>(query, threads, answers);
    }

    /** Returns when all queries are done and all callers have their results. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, MAX_SECONDS);
        answers.close();
    }
}
