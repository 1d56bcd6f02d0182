package dev.agentpolicy.app;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Starts calls at the same moment, each on its own thread. */
final class ConcurrentCalls {

    private ConcurrentCalls() {}

    static <T> List<T> calls(int count, IntFunction<T> call) {
        ExecutorService crowd = Executors.newFixedThreadPool(count);
        CountDownLatch ready = new CountDownLatch(count);
        try {
            return IntStream.range(0, count)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> afterAll(ready, () -> call.apply(i)), crowd))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            crowd.shutdown();
        }
    }

    private static <T> T afterAll(CountDownLatch ready, Supplier<T> call) {
        ready.countDown();
        try {
            ready.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
        return call.get();
    }
}
