package dev.agentpolicy.adapter.jdbc.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
class TogetherTest {
    private final ExecutorService crowd = Executors.newCachedThreadPool();
    private final QueryExecutor asking = new QueryExecutor("policy-asks", 2);
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch all = new CountDownLatch(1);
    private final List<Collection<Integer>> asked = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        all.countDown();
        crowd.shutdownNow();
        asking.close();
    }

    @Test
    void one_alone_is_asked_for_alone_and_at_once() {
        BatchingReader<Integer, String> together = asking.together(noted(TogetherTest::words));

        assertThat(asked(together, 7)).contains("7");
        assertThat(asked(together, -1)).isEmpty();
        assertThat(asked).hasSize(2).allMatch(keys -> keys.size() == 1);
    }

    @Test
    void whoever_comes_meanwhile_is_asked_for_together() throws Exception {
        BatchingReader<Integer, String> together = asking.together(noted(keys -> {
            hold();
            return words(keys);
        }));
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        List<CompletableFuture<Optional<String>>> others = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> together.ask(i % 50).toCompletableFuture())
                .toList();
        all.countDown();

        assertThat(one.get()).contains("0");
        for (int i = 1; i <= 100; i++) {
            assertThat(others.get(i - 1).get()).contains(Integer.toString(i % 50));
        }
        assertThat(asked).hasSizeLessThan(10);
        assertThat(asked.get(0)).containsExactly(0);
    }

    @Test
    void when_nothing_can_be_asked_it_fails_for_all_who_wait_and_for_nobody_after() throws Exception {
        AtomicBoolean isMended = new AtomicBoolean();
        BatchingReader<Integer, String> together = asking.together(noted(keys -> {
            if (!isMended.get()) {
                hold();
                throw new Unavailable("The wire is cut.", new IOException());
            }
            return words(keys);
        }));
        List<CompletableFuture<Optional<String>>> waiting = new ArrayList<>();
        waiting.add(askedAndHeld(together));
        IntStream.rangeClosed(1, 20).forEach(i -> waiting.add(together.ask(i).toCompletableFuture()));
        all.countDown();

        for (CompletableFuture<Optional<String>> each : waiting) {
            assertThatThrownBy(each::get).hasCauseInstanceOf(Unavailable.class);
        }
        assertThat(asked).hasSizeLessThan(5);
        isMended.set(true);
        assertThat(asked(together, 5)).contains("5");
    }

    @Test
    void what_cannot_be_told_of_one_is_told_of_the_others() throws Exception {
        BatchingReader<Integer, String> together = asking.together(noted(keys -> {
            hold();
            if (keys.contains(3)) {
                throw new IllegalStateException("3 is broken.");
            }
            return words(keys);
        }));
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        List<CompletableFuture<Optional<String>>> others = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> together.ask(i).toCompletableFuture())
                .toList();
        all.countDown();

        assertThat(one.get()).contains("0");
        for (int i : List.of(1, 2, 4, 5)) {
            assertThat(others.get(i - 1).get()).contains(Integer.toString(i));
        }
        assertThatThrownBy(others.get(2)::get).hasRootCauseMessage("3 is broken.");
    }

    @Test
    void trouble_of_the_process_leaves_nobody_waiting() throws Exception {
        BatchingReader<Integer, String> together = asking.together(keys -> {
            hold();
            throw new OutOfMemoryError("not really");
        });
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        CompletableFuture<Optional<String>> other = together.ask(1).toCompletableFuture();
        all.countDown();

        assertThatThrownBy(one::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(other::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(together.ask(2).toCompletableFuture()::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void nobody_is_forgotten_in_a_crowd() throws Exception {
        BatchingReader<Integer, String> together = asking.together(noted(TogetherTest::words));
        AtomicInteger right = new AtomicInteger();
        List<CompletableFuture<Void>> callers = IntStream.range(0, 16)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 5_000; i++) {
                                int key = caller * 10_000 + i;
                                if (asked(together, key).orElseThrow().equals(Integer.toString(key))) {
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
    void nobody_who_asks_waits_or_gives_an_answer_to_others() throws Exception {
        BatchingReader<Integer, String> together = asking.together(keys -> {
            hold();
            return words(keys);
        });
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        Set<Thread> givers = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> given = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> together.ask(i)
                        .thenAccept(word -> givers.add(Thread.currentThread()))
                        .toCompletableFuture())
                .toList();

        assertThat(one).isNotDone();
        all.countDown();
        for (CompletableFuture<Void> each : given) {
            each.get();
        }
        assertThat(givers).isNotEmpty().doesNotContain(Thread.currentThread());
    }

    @Test
    void after_the_end_nobody_is_kept_waiting() {
        BatchingReader<Integer, String> together = asking.together(TogetherTest::words);
        asking.close();

        assertThatThrownBy(together.ask(1).toCompletableFuture()::get)
                .hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    private static Optional<String> asked(BatchingReader<Integer, String> together, int key) {
        return together.ask(key).toCompletableFuture().join();
    }

    private Function<Collection<Integer>, Map<Integer, String>> noted(
            Function<Collection<Integer>, Map<Integer, String>> asking) {
        return keys -> {
            asked.add(List.copyOf(keys));
            return asking.apply(keys);
        };
    }

    private static Map<Integer, String> words(Collection<Integer> keys) {
        return keys.stream()
                .filter(key -> key >= 0)
                .collect(Collectors.toMap(key -> key, key -> Integer.toString(key)));
    }

    /** Asks for 0, and returns when that is at what holds it. */
    private CompletableFuture<Optional<String>> askedAndHeld(BatchingReader<Integer, String> together)
            throws InterruptedException {
        CompletableFuture<Optional<String>> one = together.ask(0).toCompletableFuture();
        first.await();
        return one;
    }

    private void hold() {
        first.countDown();
        try {
            all.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
