package dev.agentpolicy.domain.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.simulation.FirstViolation.Breach;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants of the simulation find every seeded fault. */
class SimulationFindsMutantsTest {
    private static final int LIVES = 80;
    private static final int OPERATIONS = 500;

    @ParameterizedTest
    @EnumSource(SeededMutant.class)
    void a_mutant_is_found_by_the_invariant_it_breaks(SeededMutant mutant) {
        assertThat(broken(mutant)).isEqualTo(mutant.breaks());
    }

    @Test
    void every_invariant_has_a_mutant_that_breaks_it() {
        assertThat(Arrays.stream(SeededMutant.values()).map(SeededMutant::breaks))
                .contains(Invariant.values());
    }

    private static Invariant broken(Mutant mutant) {
        for (int seed = 1; seed <= LIVES; seed++) {
            try {
                new RandomOperations(new Random(seed), mutant).live(OPERATIONS);
            } catch (Breach breach) {
                return breach.invariant();
            }
        }
        return null;
    }
}
