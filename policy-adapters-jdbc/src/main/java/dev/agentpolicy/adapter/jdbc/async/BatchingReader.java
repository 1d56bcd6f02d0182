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
 * Asks at once what several calls want to know at the same time, since a query costs nearly as much for one as for many.
 * The first to come is asked for alone, right away; whoever comes meanwhile, next and together. No thread waits.
 *
 * @param <K> what is asked for
 * @param <V> what is known of it
 */
public final class BatchingReader<K, V> {
    private static final int MAX = 64;

    private final Function<Collection<K>, Map<K, V>> asking;
    private final Executor askers;
    private final CallbackExecutor answers;
    private final Queue<Asked<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /**
     * A place to ask.
     *
     * @param asking finds what there is; begun after whoever it is for had asked
     * @param askers whose threads ask, one at a time
     */
    public BatchingReader(Function<Collection<K>, Map<K, V>> asking, Executor askers, CallbackExecutor answers) {
        this.asking = asking;
        this.askers = askers;
        this.answers = answers;
    }

    /** What is known of a key now; fails as the asking does. */
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

    /** Until nobody is left; whoever comes when it is about to end begins it anew. */
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

    /** What is wrong with the rows of one is no reason to refuse the others. */
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

    /** Those who came since would only wait as long for the same. */
    private void failAll(List<Asked<K, V>> some, RuntimeException failed) {
        List<Asked<K, V>> all = new ArrayList<>(some);
        all.addAll(taken(Integer.MAX_VALUE));
        give(all, it -> it.answer.completeExceptionally(failed));
    }

    /** One alone is not worth another thread. */
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

    /** What somebody wants to know. */
    private record Asked<K, V>(K key, CompletableFuture<Optional<V>> answer) {}
}
