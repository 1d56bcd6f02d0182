package dev.agentpolicy.domain.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import dev.agentpolicy.domain.sample.Seeded;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs random operations on two nodes that fail: 170 000 in every build, and twenty million with {@code -Plong}. Every
 * {@link Invariant} must hold after every step.
 */
@Tag("slow")
class SimulationTest {
    private static final int OPERATIONS = 2_000;
    private static final int LIVES = ExperimentSettings.times(40, 10_000);

    @Test
    void every_invariant_holds_for_random_failures_and_interleavings() {
        AtomicReference<SimulationCounts> all = new AtomicReference<>(SimulationCounts.NONE);
        Seeded.search(
                LIVES,
                random -> all.updateAndGet(
                        before -> before.plus(new RandomOperations(random, Mutant.NONE).live(OPERATIONS))));

        System.out.println("simulation: " + all.get());
        if (Long.getLong("laws.seed") == null) {
            assertThat(all.get().completed()).isGreaterThan(LIVES);
            assertThat(all.get().replays()).isGreaterThan(LIVES);
            assertThat(all.get().turnedDown()).isGreaterThan(LIVES);
            assertThat(all.get().expired()).isGreaterThan(LIVES);
            assertThat(all.get().fills()).isGreaterThan(LIVES);
            assertThat(all.get().partly()).isGreaterThan(LIVES);
            assertThat(all.get().stale()).isGreaterThan(LIVES);
            assertThat(all.get().limited()).isGreaterThan(LIVES);
            assertThat(all.get().canceled()).isGreaterThan(LIVES);
            assertThat(all.get().refused()).isPositive();
        }
    }
}
