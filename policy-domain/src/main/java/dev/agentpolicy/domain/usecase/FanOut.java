package dev.agentpolicy.domain.usecase;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does the same work for many items, several at a time, so that one that is slow does not hold up the others.
 *
 * @param threads help the calling thread. It works itself, so it gets on even while they are all busy
 */
public record FanOut(Executor threads) {
    /** Items worked on at the same time. */
    public static final int MAX_AT_ONCE = 20;

    /**
     * Blocks until the work is done for every item. After a failure no further item is begun.
     *
     * @throws RuntimeException the first failure
     */
    public <T> void each(Collection<T> items, Consumer<T> work) {
        Queue<T> left = new ConcurrentLinkedQueue<>(items);
        AtomicInteger undone = new AtomicInteger(items.size());
        CompletableFuture<Void> done = new CompletableFuture<>();
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Runnable worker = () -> {
            for (T item = left.poll(); item != null; item = left.poll()) {
                try {
                    if (failure.get() == null) {
                        work.accept(item);
                    }
                } catch (RuntimeException failed) {
                    RuntimeException first = failure.compareAndExchange(null, failed);
                    if (first != null) {
                        first.addSuppressed(failed);
                    }
                } finally {
                    if (undone.decrementAndGet() == 0) {
                        done.complete(null);
                    }
                }
            }
        };
        for (int i = 1; i < Math.min(items.size(), MAX_AT_ONCE); i++) {
            threads.execute(worker);
        }
        worker.run();
        if (!items.isEmpty()) {
            done.join();
        }
        RuntimeException first = failure.get();
        if (first != null) {
            throw first;
        }
    }
}
