package dev.agentpolicy.domain.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.simulation.Verdict.Breach;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The watch of the simulation sees every fault that it is there for. */
class SimulationTeethTest {
    private static final int LIVES = 20;
    private static final int OPERATIONS = 500;

    @ParameterizedTest
    @EnumSource(SeededFlaw.class)
    void a_seeded_flaw_is_seen_as_the_promise_it_breaks(SeededFlaw flaw) {
        assertThat(broken(flaw)).isEqualTo(flaw.breaks());
    }

    @Test
    void every_promise_has_a_flaw_that_breaks_it() {
        assertThat(Arrays.stream(SeededFlaw.values()).map(SeededFlaw::breaks)).contains(Promise.values());
    }

    private static Promise broken(Flaw flaw) {
        for (int seed = 1; seed <= LIVES; seed++) {
            try {
                new Life(new Random(seed), flaw).live(OPERATIONS);
            } catch (Breach breach) {
                return breach.promise();
            }
        }
        return null;
    }
}
