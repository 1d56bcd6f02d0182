package dev.agentpolicy.domain.usecase;

import java.time.Duration;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
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
        Work<T> all = new Work<>(items, work);
        for (int i = 1; i < Math.min(items.size(), MAX_AT_ONCE); i++) {
            threads.execute(all);
        }
        all.run();
        all.done.join();
        all.throwFailure();
    }

    /**
     * As {@link #each}, but blocks for a while at most. What is not done by then goes on, and its failures are for the work
     * to report.
     */
    public <T> void each(Collection<T> items, Consumer<T> work, Duration max) {
        Work<T> all = new Work<>(items, work);
        for (int i = 0; i < Math.min(items.size(), MAX_AT_ONCE); i++) {
            threads.execute(all);
        }
        CompletableFuture<Boolean> waiting = all.done.thenApply(done -> true);
        if (waiting.completeOnTimeout(false, max.toMillis(), TimeUnit.MILLISECONDS)
                .join()) {
            all.throwFailure();
        }
    }

    private static final class Work<T> implements Runnable {
        private final Queue<T> left;
        private final Consumer<T> work;
        private final AtomicInteger undone;
        private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        final CompletableFuture<Void> done = new CompletableFuture<>();

        Work(Collection<T> items, Consumer<T> work) {
            this.left = new ConcurrentLinkedQueue<>(items);
            this.work = work;
            this.undone = new AtomicInteger(items.size());
            if (items.isEmpty()) {
                done.complete(null);
            }
        }

        @Override
        public void run() {
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
        }

        void throwFailure() {
            RuntimeException first = failure.get();
            if (first != null) {
                throw first;
            }
        }
    }
}
