package dev.agentpolicy.app.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets a permit next. */
class RoundRobinPermitsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private final RoundRobinPermits<Line> permits = new RoundRobinPermits<>(Line.class, 1, 3);
    private final ExecutorService crowd = Executors.newCachedThreadPool();
    private final List<String> served = Collections.synchronizedList(new ArrayList<>());

    private enum Line {
        LEFT,
        RIGHT
    }

    @AfterEach
    void stop() {
        crowd.shutdownNow();
    }

    @Test
    void a_long_queue_delays_another_by_one_permit_only() {
        assertThat(permits.acquire(Line.LEFT, LONG)).isTrue();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            waiting.add(waits(Line.LEFT, "left " + i));
        }
        waiting.add(waits(Line.RIGHT, "right 1"));
        waiting.add(waits(Line.RIGHT, "right 2"));

        permits.release();

        waiting.forEach(CompletableFuture::join);
        assertThat(served).containsExactly("left 1", "right 1", "left 2", "right 2", "left 3");
        assertThat(permits.acquire(Line.LEFT, Duration.ZERO)).isTrue();
    }

    @Test
    void a_full_queue_turns_away_its_own_callers_and_no_others() {
        permits.acquire(Line.LEFT, LONG);
        for (int i = 1; i <= 3; i++) {
            waits(Line.LEFT, "left " + i);
        }

        assertThat(permits.acquire(Line.LEFT, LONG)).isFalse();
        CompletableFuture<Void> other = waits(Line.RIGHT, "right");
        permits.release();
        other.join();
        assertThat(served).contains("right");
    }

    @Test
    void a_waiter_that_times_out_leaves_the_queue_without_a_permit() {
        permits.acquire(Line.LEFT, LONG);

        assertThat(permits.acquire(Line.LEFT, Duration.ofMillis(1))).isFalse();
        assertThat(permits.waiting(Line.LEFT)).isZero();
        permits.release();
        assertThat(permits.acquire(Line.RIGHT, Duration.ZERO)).isTrue();
    }

    @Test
    void an_interrupted_thread_leaves_the_queue_and_stays_interrupted() {
        permits.acquire(Line.LEFT, LONG);
        Thread.currentThread().interrupt();

        assertThat(permits.acquire(Line.LEFT, LONG)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(permits.waiting(Line.LEFT)).isZero();
    }

    /** Waits in a queue in a thread of its own, notes that it was served, and returns the permit. */
    private CompletableFuture<Void> waits(Line line, String name) {
        int before = permits.waiting(line);
        CompletableFuture<Void> done = CompletableFuture.runAsync(
                () -> {
                    if (permits.acquire(line, LONG)) {
                        served.add(name);
                        permits.release();
                    }
                },
                crowd);
        while (permits.waiting(line) == before) {
            Thread.onSpinWait();
        }
        return done;
    }
}
