package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests followed by bytes that are not HTTP, on many connections at once. Two threads of the server can work on one
 * connection; no caller may receive the answer to another.
 */
@ExtendWith(AttackedService.Shared.class)
class PipelinedGarbageTest {
    private static final int CALLERS = 8;
    private static final int ROUNDS = ExperimentSettings.times(500, 40_000);
    private static final List<String> PATHS = List.of("/health/live", "/api/agent/v1/whoami", "/api/agent/v1/mandate");

    @Test
    void every_connection_gets_its_own_answer_once_and_at_most_one_error(AttackedService target) throws Exception {
        ExecutorService crowd = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<Integer>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String name = "caller-" + caller;
                callers.add(crowd.submit(() -> refusals(target, name)));
            }
            int refusals = 0;
            for (Future<Integer> caller : callers) {
                refusals += caller.get();
            }
            System.out.printf("%d connections, %d refusals%n", CALLERS * ROUNDS, refusals);
            assertThat(refusals).isPositive();
        } finally {
            crowd.shutdownNow();
        }
        target.requireUnharmed();
    }

    private static int refusals(AttackedService target, String caller) throws IOException {
        int refusals = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String path = PATHS.get(round % PATHS.size());
            String id = caller + "-" + round;
            refusals += TimedExchange.ask(() -> path + " of " + id, () -> isRefused(target, path, id)) ? 1 : 0;
        }
        return refusals;
    }

    private static boolean isRefused(AttackedService target, String path, String id) throws IOException {
        try (RawConnection wire = new RawConnection(target.address)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + target.key
                    + "\r\nX-Request-Id: " + id + "\r\n\r\n";
            wire.send(request + "G\0T /x HTTP/1.1\r\n\r\n");
            wire.endOfRequest();
            assertThat(wire.answer(false)).hasValueSatisfying(own -> {
                assertThat(own.status()).as("%s", own).isEqualTo(200);
                assertThat(own.header("X-Request-Id")).isEqualTo(id);
                own.requireDescribed(request);
            });
            Optional<RawAnswer> refusal = wire.answer(false);
            assertThat(refusal.map(RawAnswer::status).orElse(400))
                    .as("%s of %s", refusal, id)
                    .isEqualTo(400);
            assertThat(wire.rest()).isZero();
            return refusal.isPresent();
        }
    }
}
