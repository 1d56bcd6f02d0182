package dev.agentpolicy.adapter.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks at once what several threads want to know at the same time, since a query costs nearly as much for one as for many.
 * The first to come asks for itself alone, right away; whoever comes meanwhile is asked for by one of them, next.
 *
 * @param <K> what is asked for
 * @param <V> what is known of it
 */
final class Together<K, V> {
    private static final int MOST = 64;

    private final Function<Collection<K>, Map<K, V>> asking;
    private final Queue<Asked<K, V>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAsking = new AtomicBoolean();

    /** @param asking finds what there is; begun after whoever it is for had asked */
    Together(Function<Collection<K>, Map<K, V>> asking) {
        this.asking = asking;
    }

    /** What is known of a key now; fails as the asking does. */
    Optional<V> ask(K key) {
        Asked<K, V> mine = new Asked<>(key);
        queue.add(mine);
        boolean isInterrupted = false;
        while (!mine.isDone) {
            if (isAsking.compareAndSet(false, true)) {
                askForSome();
            } else {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return mine.answer();
    }

    /** Whoever has asked, and still waits, comes next. */
    private void askForSome() {
        try {
            List<Asked<K, V>> some = taken(MOST);
            if (!some.isEmpty()) {
                answer(some);
            }
        } finally {
            isAsking.set(false);
            Asked<K, V> next = queue.peek();
            if (next != null) {
                LockSupport.unpark(next.thread);
            }
        }
    }

    private void answer(List<Asked<K, V>> some) {
        try {
            Map<K, V> found =
                    asking.apply(some.stream().map(it -> it.key).collect(Collectors.toCollection(LinkedHashSet::new)));
            some.forEach(it -> it.done(found.get(it.key), null));
        } catch (RuntimeException failed) {
            fail(some, failed);
        } catch (Error broken) {
            fail(some, new IllegalStateException("The process is in trouble; nothing was asked.", broken));
            throw broken;
        }
    }

    /** Those who came since would only wait as long for the same. */
    private void fail(List<Asked<K, V>> some, RuntimeException failed) {
        some.addAll(taken(Integer.MAX_VALUE));
        some.forEach(it -> it.done(null, failed));
    }

    private List<Asked<K, V>> taken(int most) {
        List<Asked<K, V>> some = new ArrayList<>();
        for (Asked<K, V> next = null; some.size() < most && (next = queue.poll()) != null; ) {
            some.add(next);
        }
        return some;
    }

    /** A thread that wants to know something. */
    private static final class Asked<K, V> {
        private final Thread thread = Thread.currentThread();
        private final K key;
        private @Nullable V found;
        private @Nullable RuntimeException failed;
        private volatile boolean isDone;

        Asked(K key) {
            this.key = key;
        }

        void done(@Nullable V answer, @Nullable RuntimeException failure) {
            found = answer;
            failed = failure;
            isDone = true;
            LockSupport.unpark(thread);
        }

        Optional<V> answer() {
            if (failed != null) {
                throw failed;
            }
            return Optional.ofNullable(found);
        }
    }
}
