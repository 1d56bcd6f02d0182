package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.FragileService.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that wait for a database which says nothing keep no other call from being read and answered. */
class SilentDatabaseTest {
    private static final int WAITING = 16;
    private static final Duration SOON = Duration.ofSeconds(3);

    @TempDir
    Path folder;

    @Test
    void decisions_of_keys_that_must_be_looked_up_hold_up_nobody() throws Exception {
        try (FragileService service = FragileService.start(folder)) {
            ApiCaller caller = service.node().caller();
            Fault.SILENT.begin(service);
            List<Thread> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                ApiCaller unknown =
                        caller.withKey("svc_live_" + Integer.toString(i % 10).repeat(64));
                Thread thread = new Thread(() -> validate(unknown));
                thread.start();
                waiting.add(thread);
            }
            try {
                Thread.sleep(500);
                long begun = System.nanoTime();
                assertThat(caller.get("/health/live").status()).isEqualTo(200);
                assertThat(validate(caller.withKey("no key at all")).status()).isEqualTo(401);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
                assertThat(waiting).as("those who wait").anyMatch(Thread::isAlive);
            } finally {
                Fault.SILENT.end(service);
                for (Thread thread : waiting) {
                    thread.join();
                }
            }
        }
    }

    private static ApiCaller.Seen validate(ApiCaller caller) {
        return caller.post(API + "policy/validate", "{}");
    }
}
