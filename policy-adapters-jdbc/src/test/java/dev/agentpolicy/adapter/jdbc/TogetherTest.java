package dev.agentpolicy.adapter.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch all = new CountDownLatch(1);
    private final List<Collection<Integer>> asked = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        crowd.shutdownNow();
    }

    @Test
    void one_alone_is_asked_for_alone_and_at_once() {
        Together<Integer, String> together = new Together<>(noted(TogetherTest::words));

        assertThat(together.ask(7)).contains("7");
        assertThat(together.ask(-1)).isEmpty();
        assertThat(asked).hasSize(2).allMatch(keys -> keys.size() == 1);
    }

    @Test
    void whoever_comes_meanwhile_is_asked_for_together() throws Exception {
        Together<Integer, String> together = new Together<>(noted(keys -> {
            hold();
            return words(keys);
        }));
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        List<CompletableFuture<Optional<String>>> others = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> together.ask(i % 50), crowd))
                .toList();
        TimeUnit.MILLISECONDS.sleep(300);
        all.countDown();

        assertThat(one.get()).contains("0");
        for (int i = 1; i <= 100; i++) {
            assertThat(others.get(i - 1).get()).contains(Integer.toString(i % 50));
        }
        assertThat(asked).hasSizeLessThan(10);
        assertThat(asked.get(0)).containsExactly(0);
    }

    @Test
    void what_fails_fails_for_all_who_wait_and_for_nobody_after() throws Exception {
        AtomicBoolean isMended = new AtomicBoolean();
        Together<Integer, String> together = new Together<>(noted(keys -> {
            if (!isMended.get()) {
                hold();
                throw new IllegalStateException("The wire is cut.");
            }
            return words(keys);
        }));
        List<CompletableFuture<Optional<String>>> waiting = new ArrayList<>();
        waiting.add(askedAndHeld(together));
        IntStream.rangeClosed(1, 20)
                .forEach(i -> waiting.add(CompletableFuture.supplyAsync(() -> together.ask(i), crowd)));
        TimeUnit.MILLISECONDS.sleep(300);
        all.countDown();

        for (CompletableFuture<Optional<String>> each : waiting) {
            assertThatThrownBy(each::get).hasRootCauseMessage("The wire is cut.");
        }
        assertThat(asked).hasSizeLessThan(5);
        isMended.set(true);
        assertThat(together.ask(5)).contains("5");
    }

    @Test
    void trouble_of_the_process_leaves_nobody_waiting() throws Exception {
        Together<Integer, String> together = new Together<>(keys -> {
            hold();
            throw new OutOfMemoryError("not really");
        });
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        CompletableFuture<Optional<String>> other = CompletableFuture.supplyAsync(() -> together.ask(1), crowd);
        TimeUnit.MILLISECONDS.sleep(100);
        all.countDown();

        assertThatThrownBy(one::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(other::get).hasRootCauseInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void nobody_is_forgotten_in_a_crowd() throws Exception {
        Together<Integer, String> together = new Together<>(noted(TogetherTest::words));
        AtomicInteger right = new AtomicInteger();
        List<CompletableFuture<Void>> callers = IntStream.range(0, 16)
                .mapToObj(caller -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 5_000; i++) {
                                int key = caller * 10_000 + i;
                                if (together.ask(key).orElseThrow().equals(Integer.toString(key))) {
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
    void who_is_interrupted_gets_the_answer_and_stays_interrupted() throws Exception {
        Together<Integer, String> together = new Together<>(keys -> {
            hold();
            return words(keys);
        });
        CompletableFuture<Optional<String>> one = askedAndHeld(together);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(
                () -> {
                    thread.complete(Thread.currentThread());
                    assertThat(together.ask(1)).contains("1");
                    return Thread.interrupted();
                },
                crowd);
        thread.get().interrupt();
        TimeUnit.MILLISECONDS.sleep(100);
        all.countDown();

        assertThat(second.get()).isTrue();
        assertThat(one.get()).contains("0");
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
    private CompletableFuture<Optional<String>> askedAndHeld(Together<Integer, String> together)
            throws InterruptedException {
        CompletableFuture<Optional<String>> one = CompletableFuture.supplyAsync(() -> together.ask(0), crowd);
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
