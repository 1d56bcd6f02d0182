package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.CallbackExecutor;
import dev.agentpolicy.adapter.jdbc.connect.DaemonThreads;
import dev.agentpolicy.domain.account.Unavailable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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

    /** Completes the futures of callers on threads of its own, so that a slow callback never delays the next commit. */
    public static final class CallbackExecutor implements AutoCloseable {
        private static final int THREADS = 2;
        private static final int CHUNK = 8;
        private static final long MAX_SECONDS = 30;

        /** Unbounded itself, but the lanes limit how many callers there are. */
        private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.named("policy-answers"));

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

    /**
     * Combines lookups that are asked for at the same time into one query, which costs little more than a query for one. The
     * first lookup is executed at once; those that arrive during a query form the next one. Callers do not block.
     *
     * @param <K> the keys of lookups
     * @param <V> their results
     */
    public static final class BatchingReader<K, V> {
        private final Function<Collection<K>, Map<K, V>> query;
        private final Executor threads;
        private final CallbackExecutor answers;
        private final Queue<Lookup<K, V>> queue = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isRunning = new AtomicBoolean();
        private final int together;

        /**
         * A reader without queued lookups.
         *
         * @param query finds values by their keys; it begins after all of these lookups were queued
         * @param threads runs the queries, one at a time
         * @param together how many lookups one query takes
         */
        public BatchingReader(
                Function<Collection<K>, Map<K, V>> query, Executor threads, CallbackExecutor answers, int together) {
            this.together = together;
            this.query = query;
            this.threads = threads;
            this.answers = answers;
        }

        /** Looks up a key. The stage completes on a callback thread, or exceptionally if the query fails. */
        public CompletionStage<Optional<V>> find(K key) {
            Lookup<K, V> lookup = new Lookup<>(key, new CompletableFuture<>());
            queue.add(lookup);
            begin();
            return lookup.answer;
        }

        private void begin() {
            if (isRunning.compareAndSet(false, true)) {
                try {
                    threads.execute(this::run);
                } catch (RejectedExecutionException closed) {
                    isRunning.set(false);
                    take(Integer.MAX_VALUE).forEach(it -> it.answer.completeExceptionally(closed));
                }
            }
        }

        /** Runs until no lookup is queued; one that is queued at the very end starts it again. */
        private void run() {
            try {
                for (List<Lookup<K, V>> some = take(together); !some.isEmpty(); some = take(together)) {
                    executeOrFailAll(some);
                }
            } finally {
                isRunning.set(false);
                if (!queue.isEmpty()) {
                    begin();
                }
            }
        }

        private void executeOrFailAll(List<Lookup<K, V>> some) {
            try {
                execute(some);
            } catch (Error broken) {
                failAll(some, new IllegalStateException("The process is in trouble; nothing was looked up.", broken));
                throw broken;
            }
        }

        /** If a query of several lookups fails, each is repeated alone, so that one bad row does not fail the others. */
        private void execute(List<Lookup<K, V>> some) {
            try {
                Map<K, V> found = query.apply(
                        some.stream().map(Lookup::key).collect(Collectors.toCollection(LinkedHashSet::new)));
                complete(some, it -> it.answer.complete(Optional.ofNullable(found.get(it.key))));
            } catch (Unavailable away) {
                failOthersToo(some, away);
            } catch (RuntimeException failed) {
                if (some.size() == 1) {
                    some.get(0).answer.completeExceptionally(failed);
                } else {
                    some.forEach(it -> execute(List.of(it)));
                }
            }
        }

        /** Where each lookup has a query of its own, a part of the database may be away that others do not need. */
        private void failOthersToo(List<Lookup<K, V>> some, Unavailable away) {
            if (together > 1) {
                failAll(some, away);
            } else {
                complete(some, it -> it.answer.completeExceptionally(away));
            }
        }

        /** Fails the lookups that are queued too; they would only run into the same timeout. */
        private void failAll(List<Lookup<K, V>> some, RuntimeException failed) {
            List<Lookup<K, V>> all = new ArrayList<>(some);
            all.addAll(take(Integer.MAX_VALUE));
            complete(all, it -> it.answer.completeExceptionally(failed));
        }

        /** A single lookup is completed on this thread. */
        private void complete(List<Lookup<K, V>> some, Consumer<Lookup<K, V>> answer) {
            if (some.size() == 1) {
                answer.accept(some.get(0));
            } else {
                answers.give(some.stream()
                        .<Runnable>map(it -> () -> answer.accept(it))
                        .toList());
            }
        }

        private List<Lookup<K, V>> take(int max) {
            List<Lookup<K, V>> some = new ArrayList<>();
            for (Lookup<K, V> next = null; some.size() < max && (next = queue.poll()) != null; ) {
                some.add(next);
            }
            return some;
        }

        /** A lookup that waits for its result. */
        private record Lookup<K, V>(K key, CompletableFuture<Optional<V>> answer) {}
    }
}
