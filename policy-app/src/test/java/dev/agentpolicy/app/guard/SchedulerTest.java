package dev.agentpolicy.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.CapturedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SchedulerTest {
    private static final Duration PAUSE = Duration.ofMillis(50);

    @Test
    void a_task_that_fails_is_logged_and_comes_again() throws Exception {
        CountDownLatch runs = new CountDownLatch(3);
        try (CapturedLog log = new CapturedLog();
                Scheduler scheduler = new Scheduler("test")) {
            scheduler.repeat("Failing", Duration.ZERO, PAUSE, () -> {
                runs.countDown();
                throw new IOException("on purpose");
            });
            assertThat(runs.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(log.messages()).contains("Failing failed and comes again");
        }
    }

    @Test
    void closing_waits_for_the_task_that_has_begun_and_repeats_it_no_more() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean isDone = new AtomicBoolean();
        Scheduler scheduler = new Scheduler("test");
        scheduler.repeat("Slow", Duration.ZERO, PAUSE, () -> {
            assertThat(begun.getCount()).isOne();
            begun.countDown();
            TimeUnit.MILLISECONDS.sleep(50);
            isDone.set(true);
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

        scheduler.close();

        assertThat(isDone).isTrue();
        assertThat(scheduler.isClosing()).isTrue();
    }
}
