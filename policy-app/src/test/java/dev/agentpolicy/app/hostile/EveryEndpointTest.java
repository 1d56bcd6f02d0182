package dev.agentpolicy.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.Experiments;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole requests, right, nearly right and quite wrong, to every endpoint there is: each is answered, decently. */
@ExtendWith(Target.Shared.class)
class EveryEndpointTest {
    private static final int ROUNDS = Experiments.times(40, 800);
    private static final int HASHED = 5;
    private static final long LONGEST_MILLIS = 1_000;
    private static final int TRIES = 5;

    private final long seed = Experiments.seed(EveryEndpointTest.class);
    private final Nonsense nonsense = new Nonsense(seed);

    @Test
    void whatever_is_asked_is_answered_decently_and_at_once(Target target) throws Exception {
        List<Endpoint> endpoints = Endpoint.all();
        Attack attack = new Attack(target, nonsense);
        int asked = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (Endpoint endpoint : endpoints) {
                boolean isSlowByIntent = endpoint.isAboutSessions() && endpoint.changes();
                if (!isSlowByIntent || round % HASHED == 0) {
                    require(target, attack.on(endpoint));
                    asked++;
                }
            }
        }
        System.out.printf("%d requests to %d endpoints, seed %d%n", asked, endpoints.size(), seed);

        target.requireUnharmed();
    }

    /** A machine may be slow now and then; a request that hangs does so again. */
    private void require(Target target, String request) throws IOException {
        for (int i = 1; ; i++) {
            Answer answer = ask(target, request);
            assertThat(answer.indecency())
                    .as("seed %d\n%s\n%s", seed, Attack.shown(request), answer)
                    .isEmpty();
            if (answer.millis() <= LONGEST_MILLIS) {
                return;
            }
            assertThat(i)
                    .as("seed %d\n%s\ntook %d ms", seed, Attack.shown(request), answer.millis())
                    .isLessThan(TRIES);
        }
    }

    private Answer ask(Target target, String request) throws IOException {
        try (Wire wire = new Wire(target.address)) {
            wire.send(request);
            Optional<Answer> answer = wire.answer(Attack.isHead(request));
            assertThat(answer).as("seed %d\n%s", seed, Attack.shown(request)).isPresent();
            return answer.orElseThrow();
        }
    }
}
