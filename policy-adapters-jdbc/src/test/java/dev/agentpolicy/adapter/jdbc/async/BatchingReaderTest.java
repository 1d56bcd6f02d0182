package dev.agentpolicy.adapter.jdbc.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.adapter.jdbc.async.QueryExecutor.BatchingReader;
import dev.agentpolicy.domain.account.Unavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BatchingReaderTest {
    private final ExecutorService crowd = Executors.newCachedThreadPool();
    private final QueryExecutor queries = new QueryExecutor("policy-queries", 2);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<Collection<Integer>> queried = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        release.countDown();
        crowd.shutdownNow();
        queries.close();
    }

    @Test
    void a_single_lookup_is_executed_alone_and_at_once() {
        BatchingReader<Integer, String> reader = queries.batching(recorded(BatchingReaderTest::words));

        assertThat(find(reader, 7)).contains("7");
        assertThat(find(reader, -1)).isEmpty();
        assertThat(queried).hasSize(2).allMatch(keys -> keys.size() == 1);
    }

    @Test
    void lookups_that_arrive_during_a_query_form_the_next_one() throws Exception {
        BatchingReader<Integer, String> reader = queries.batching(recorded(keys -> {
            block();
            return words(keys);
        }));
        CompletableFuture<Optional<String>> first = findAndBlock(reader);
        List<CompletableFuture<Optional<String>>> others = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> reader.find(i % 50).toCompletableFuture())
                .toList();
        release.countDown();

        assertThat(first.get()).contains("0");
        for (int i = 1; i <= 100; i++) {
            assertThat(others.get(i - 1).get()).contains(Integer.toString(i % 50));
        }
        assertThat(queried).hasSizeLessThan(10);
        assertThat(queried.get(0)).containsExactly(0);
    }

    @Test
    void an_unavailable_database_fails_all_queued_lookups_but_no_later_one() throws Exception {
        AtomicBoolean isConnected = new AtomicBoolean();
        BatchingReader<Integer, String> reader = queries.batching(recorded(keys -> {
            if (!isConnected.get()) {
                block();
                throw new Unavailable("The wire is cut.", new IOException());
            }
            return words(keys);
        }));
        List<CompletableFuture<Optional<String>>> waiting = new ArrayList<>();
        waiting.add(findAndBlock(reader));
        IntStream.rangeClosed(1, 20).forEach(i -> waiting.add(reader.find(i).toCompletableFuture()));
        release.countDown();

        for (CompletableFuture<Optional<String>> each : waiting) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(Unavailable.class);
        }
        assertThat(queried).hasSizeLessThan(5);
        isConnected.set(true);
        assertThat(find(reader, 5)).contains("5");
    }

    @Test
    void a_lookup_that_fails_does_not_fail_the_others_of_its_query() throws Exception {
        BatchingReader<Integer, String> reader = queries.batching(recorded(keys -> {
            block();
            if (keys.contains(3)) {
                throw new IllegalStateException("3 is broken.");
            }
            return words(keys);
        }));
        CompletableFuture<Optional<String>> first = findAndBlock(reader);
        List<CompletableFuture<Optional<String>>> others = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> reader.find(i).toCompletableFuture())
                .toList();
        release.countDown();

        assertThat(first.get()).contains("0");
        for (int i : List.of(1, 2, 4, 5)) {
            assertThat(others.get(i - 1).get()).contains(Integer.toString(i));
        }
        assertThatThrownBy(others.get(2)::get).hasRootCauseMessage("3 is broken.");
    }

    @Test
    void an_error_of_the_jvm_completes_all_queued_lookups() throws Exception {
        BatchingReader<Integer, String> reader = queries.batching(keys -> {
            block();
            throw new OutOfMemoryError("not really");
        });
        CompletableFuture<Optional<String>> first = findAndBlock(reader);
        CompletableFuture<Optional<String>> other = reader.find(1).toCompletableFuture();
        release.countDown();

        assertThatThrownBy(first::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(other::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(reader.find(2).toCompletableFuture()::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void every_one_of_many_concurrent_lookups_gets_its_result() throws Exception {
        BatchingReader<Integer, String> reader = queries.batching(recorded(BatchingReaderTest::words));
        AtomicInteger right = new AtomicInteger();
        List<CompletableFuture<Void>> callers = IntStream.range(0, 16)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 5_000; i++) {
                                int key = caller * 10_000 + i;
                                if (find(reader, key).orElseThrow().equals(Integer.toString(key))) {
                                    right.incrementAndGet();
                                }
                            }
                        },
                        crowd))
                .toList();
        for (CompletableFuture<Void> caller : callers) {
            caller.get();
        }

        assertThat(right).hasValue(80_000);
    }

    @Test
    void callers_neither_block_nor_complete_lookups_of_others() throws Exception {
        BatchingReader<Integer, String> reader = queries.batching(keys -> {
            block();
            return words(keys);
        });
        CompletableFuture<Optional<String>> first = findAndBlock(reader);
        Set<Thread> completingThreads = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> completed = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> reader.find(i)
                        .thenAccept(word -> completingThreads.add(Thread.currentThread()))
                        .toCompletableFuture())
                .toList();

        assertThat(first).isNotDone();
        release.countDown();
        for (CompletableFuture<Void> each : completed) {
            each.get();
        }
        assertThat(completingThreads).isNotEmpty().doesNotContain(Thread.currentThread());
    }

    @Test
    void after_closing_lookups_fail_at_once() {
        BatchingReader<Integer, String> reader = queries.batching(BatchingReaderTest::words);
        queries.close();

        assertThatThrownBy(reader.find(1).toCompletableFuture()::get)
                .hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    private static Optional<String> find(BatchingReader<Integer, String> reader, int key) {
        return reader.find(key).toCompletableFuture().join();
    }

    private Function<Collection<Integer>, Map<Integer, String>> recorded(
            Function<Collection<Integer>, Map<Integer, String>> query) {
        return keys -> {
            queried.add(List.copyOf(keys));
            return query.apply(keys);
        };
    }

    private static Map<Integer, String> words(Collection<Integer> keys) {
        return keys.stream()
                .filter(key -> key >= 0)
                .collect(Collectors.toMap(key -> key, key -> Integer.toString(key)));
    }

    /** Looks up 0, and returns when its query blocks. */
    private CompletableFuture<Optional<String>> findAndBlock(BatchingReader<Integer, String> reader)
            throws InterruptedException {
        CompletableFuture<Optional<String>> first = reader.find(0).toCompletableFuture();
        entered.await();
        return first;
    }

    private void block() {
        entered.countDown();
        try {
            release.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
