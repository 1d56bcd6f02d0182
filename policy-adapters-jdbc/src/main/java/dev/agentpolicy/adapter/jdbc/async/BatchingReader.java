package dev.agentpolicy.adapter.jdbc.async;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.CallbackExecutor;
import dev.agentpolicy.domain.account.Unavailable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Combines lookups that are asked for at the same time into one query, which costs little more than a query for one. The
 * first lookup is executed at once; those that arrive during a query form the next one. Callers do not block.
 *
 * @param <K> the keys of lookups
 * @param <V> their results
 */
public final class BatchingReader<K, V> {
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
            Map<K, V> found =
                    query.apply(some.stream().map(Lookup::key).collect(Collectors.toCollection(LinkedHashSet::new)));
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
            answers.give(
                    some.stream().<Runnable>map(it -> () -> answer.accept(it)).toList());
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
