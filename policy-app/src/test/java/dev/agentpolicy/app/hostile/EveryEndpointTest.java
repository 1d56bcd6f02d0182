package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole requests, right, nearly right and quite wrong, to every endpoint there is: each is answered, decently. */
@ExtendWith(AttackedService.Shared.class)
class EveryEndpointTest {
    private static final int ROUNDS = ExperimentSettings.times(15, 800);
    private static final int HASHED = 5;

    private final long seed = ExperimentSettings.seed(EveryEndpointTest.class);
    private final RandomInput nonsense = new RandomInput(seed);

    @Test
    void whatever_is_asked_is_answered_decently_and_at_once(AttackedService target) throws Exception {
        List<Endpoint> endpoints = Endpoint.all();
        RandomRequest attack = new RandomRequest(target, nonsense);
        int asked = 0;
        int described = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (Endpoint endpoint : endpoints) {
                boolean isSlowByIntent = endpoint.isAboutSessions() && endpoint.changes();
                if (!isSlowByIntent || round % HASHED == 0) {
                    String request = attack.on(endpoint);
                    RawAnswer answer = require(target, request);
                    asked++;
                    described += answer.requireDescribed(endpoint, request) ? 1 : 0;
                }
            }
        }
        System.out.printf(
                "%d requests to %d endpoints, %d of operations, seed %d%n", asked, endpoints.size(), described, seed);
        assertThat(described).isGreaterThan(asked / 3);

        target.requireUnharmed();
    }

    private RawAnswer require(AttackedService target, String request) throws IOException {
        Supplier<String> asked = () -> "seed " + seed + "\n" + RandomRequest.shown(request);
        return TimedExchange.ask(asked, () -> {
            try (RawConnection wire = new RawConnection(target.address)) {
                wire.send(request);
                Optional<RawAnswer> answer = wire.answer(RandomRequest.isHead(request));
                assertThat(answer.map(RawAnswer::indecency).orElse("no answer"))
                        .as(() -> asked.get() + "\n" + answer)
                        .isEmpty();
                return answer.orElseThrow();
            }
        });
    }
}
