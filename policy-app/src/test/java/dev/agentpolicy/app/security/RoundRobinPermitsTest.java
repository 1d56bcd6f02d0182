package dev.agentpolicy.app.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.security.Argon2Passwords.RoundRobinPermits;
import dev.agentpolicy.domain.port.signin.Passwords.HashQueue;
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
    private final RoundRobinPermits permits = new RoundRobinPermits(1, 3);
    private final ExecutorService crowd = Executors.newCachedThreadPool();
    private final List<String> served = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        crowd.shutdownNow();
    }

    @Test
    void a_long_queue_delays_another_by_one_permit_only() {
        assertThat(permits.acquire(HashQueue.SIGN_IN, LONG)).isTrue();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            waiting.add(waits(HashQueue.SIGN_IN, "left " + i));
        }
        waiting.add(waits(HashQueue.SIGN_UP, "right 1"));
        waiting.add(waits(HashQueue.SIGN_UP, "right 2"));

        permits.release();

        waiting.forEach(CompletableFuture::join);
        assertThat(served).containsExactly("left 1", "right 1", "left 2", "right 2", "left 3");
        assertThat(permits.acquire(HashQueue.SIGN_IN, Duration.ZERO)).isTrue();
    }

    @Test
    void a_full_queue_turns_away_its_own_callers_and_no_others() {
        permits.acquire(HashQueue.SIGN_IN, LONG);
        for (int i = 1; i <= 3; i++) {
            waits(HashQueue.SIGN_IN, "left " + i);
        }

        assertThat(permits.acquire(HashQueue.SIGN_IN, LONG)).isFalse();
        CompletableFuture<Void> other = waits(HashQueue.SIGN_UP, "right");
        permits.release();
        other.join();
        assertThat(served).contains("right");
    }

    @Test
    void a_waiter_that_times_out_leaves_the_queue_without_a_permit() {
        permits.acquire(HashQueue.SIGN_IN, LONG);

        assertThat(permits.acquire(HashQueue.SIGN_IN, Duration.ofMillis(1))).isFalse();
        assertThat(permits.waiting(HashQueue.SIGN_IN)).isZero();
        permits.release();
        assertThat(permits.acquire(HashQueue.SIGN_UP, Duration.ZERO)).isTrue();
    }

    @Test
    void an_interrupted_thread_leaves_the_queue_and_stays_interrupted() {
        permits.acquire(HashQueue.SIGN_IN, LONG);
        Thread.currentThread().interrupt();

        assertThat(permits.acquire(HashQueue.SIGN_IN, LONG)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(permits.waiting(HashQueue.SIGN_IN)).isZero();
    }

    /** Waits in a queue in a thread of its own, notes that it was served, and returns the permit. */
    private CompletableFuture<Void> waits(HashQueue line, String name) {
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
