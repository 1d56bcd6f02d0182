package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Threads that run queries for callers that must not block. */
public final class QueryExecutor implements AutoCloseable {
    private static final int MAX_LOOKUPS = 64;
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
        return batching(query, MAX_LOOKUPS);
    }

    /**
     * The same with smaller queries.
     *
     * @param together how many lookups one query takes at most
     */
    public <K, V> BatchingReader<K, V> batching(Function<Collection<K>, Map<K, V>> query, int together) {
        return new BatchingReader<>(query, threads, answers, Math.min(together, MAX_LOOKUPS));
    }

    /** Does work on these threads. The stage completes there, so its callbacks must not block. */
    public <T> CompletionStage<T> submit(Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            threads.execute(() -> complete(answer, work));
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(closed);
        }
        return answer;
    }

    /** Does work on these threads and blocks until it is done, so that few connections are held however many callers wait. */
    public <T> T await(Supplier<T> work) {
        try {
            return submit(work).toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }

    private static <T> void complete(CompletableFuture<T> answer, Supplier<T> work) {
        T value;
        try {
            value = work.get();
        } catch (RuntimeException failed) {
            answer.completeExceptionally(failed);
            return;
        } catch (Error broken) {
            answer.completeExceptionally(new IllegalStateException("The process is in trouble.", broken));
            throw broken;
        }
        answer.complete(value);
    }

    /** Returns when all queries are done and all callers have their results. */
    @Override
    public void close() {
        DaemonThreads.finish(threads, MAX_SECONDS);
        answers.close();
    }
}
