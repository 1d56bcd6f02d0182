package dev.agentpolicy.adapter.jdbc.async;

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
    private static final int MAX = 64;

    private final Function<Collection<K>, Map<K, V>> asking;
    private final Executor askers;
    private final CallbackExecutor answers;
    private final Queue<Asked<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /**
     * A reader without queued lookups.
     *
     * @param asking finds values by their keys; it begins after all of these lookups were asked for
     * @param askers runs the queries, one at a time
     */
    public BatchingReader(Function<Collection<K>, Map<K, V>> asking, Executor askers, CallbackExecutor answers) {
        this.asking = asking;
        this.askers = askers;
        this.answers = answers;
    }

    /** Looks up a key. The stage completes on a callback thread, or exceptionally if the query fails. */
    public CompletionStage<Optional<V>> ask(K key) {
        Asked<K, V> mine = new Asked<>(key, new CompletableFuture<>());
        queue.add(mine);
        begin();
        return mine.answer;
    }

    private void begin() {
        if (isAsking.compareAndSet(false, true)) {
            try {
                askers.execute(this::askForAll);
            } catch (RejectedExecutionException closed) {
                isAsking.set(false);
                taken(Integer.MAX_VALUE).forEach(it -> it.answer.completeExceptionally(closed));
            }
        }
    }

    /** Runs until no lookup is queued; one that is queued at the very end starts it again. */
    private void askForAll() {
        try {
            for (List<Asked<K, V>> some = taken(MAX); !some.isEmpty(); some = taken(MAX)) {
                answer(some);
            }
        } finally {
            isAsking.set(false);
            if (!queue.isEmpty()) {
                begin();
            }
        }
    }

    private void answer(List<Asked<K, V>> some) {
        try {
            tell(some);
        } catch (Error broken) {
            failAll(some, new IllegalStateException("The process is in trouble; nothing was asked.", broken));
            throw broken;
        }
    }

    /** If a query of several lookups fails, each is repeated alone, so that one bad row does not fail the others. */
    private void tell(List<Asked<K, V>> some) {
        try {
            Map<K, V> found =
                    asking.apply(some.stream().map(Asked::key).collect(Collectors.toCollection(LinkedHashSet::new)));
            give(some, it -> it.answer.complete(Optional.ofNullable(found.get(it.key))));
        } catch (Unavailable away) {
            failAll(some, away);
        } catch (RuntimeException failed) {
            if (some.size() == 1) {
                some.get(0).answer.completeExceptionally(failed);
            } else {
                some.forEach(it -> tell(List.of(it)));
            }
        }
    }

    /** Fails the lookups that are queued too; they would only run into the same timeout. */
    private void failAll(List<Asked<K, V>> some, RuntimeException failed) {
        List<Asked<K, V>> all = new ArrayList<>(some);
        all.addAll(taken(Integer.MAX_VALUE));
        give(all, it -> it.answer.completeExceptionally(failed));
    }

    /** A single lookup is completed on this thread. */
    private void give(List<Asked<K, V>> some, Consumer<Asked<K, V>> answer) {
        if (some.size() == 1) {
            answer.accept(some.get(0));
        } else {
            answers.give(
                    some.stream().<Runnable>map(it -> () -> answer.accept(it)).toList());
        }
    }

    private List<Asked<K, V>> taken(int most) {
        List<Asked<K, V>> some = new ArrayList<>();
        for (Asked<K, V> next = null; some.size() < most && (next = queue.poll()) != null; ) {
            some.add(next);
        }
        return some;
    }

    /** A lookup that waits for its result. */
    private record Asked<K, V>(K key, CompletableFuture<Optional<V>> answer) {}
}
