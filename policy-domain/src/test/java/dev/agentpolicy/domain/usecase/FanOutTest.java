package dev.agentpolicy.domain.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FanOutTest {
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final FanOut fanOut = new FanOut(threads);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void work_that_takes_too_long_is_not_waited_for_and_goes_on() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletableFuture<String> slow = new CompletableFuture<>();

        fanOut.each(
                List.of("slow"),
                item -> {
                    answer.join();
                    slow.complete(item);
                },
                Duration.ofMillis(50));

        assertThat(slow).isNotDone();
        answer.complete(null);
        assertThat(slow.join()).isEqualTo("slow");
    }

    @Test
    void work_that_is_done_in_time_is_waited_for_and_its_failure_thrown() {
        ConcurrentLinkedQueue<Integer> done = new ConcurrentLinkedQueue<>();

        fanOut.each(List.of(1, 2, 3), done::add, Duration.ofMinutes(1));
        fanOut.each(List.<Integer>of(), done::add, Duration.ofMinutes(1));

        assertThat(done).containsExactlyInAnyOrder(1, 2, 3);
        assertThatThrownBy(() -> fanOut.each(
                        List.of(1),
                        item -> {
                            throw new IllegalStateException("failed");
                        },
                        Duration.ofMinutes(1)))
                .hasMessage("failed");
    }
}
