package dev.agentpolicy.domain.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.simulation.FirstViolation.Breach;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The invariants of the simulation find every seeded fault. */
class SimulationFindsMutantsTest {
    private static final int LIVES = 400;
    private static final int OPERATIONS = 500;

    @ParameterizedTest
    @EnumSource(SeededMutant.class)
    void a_mutant_is_found_by_the_invariant_it_breaks(SeededMutant mutant) {
        assertThat(broken(mutant)).as("first another one may break").contains(mutant.breaks());
    }

    @Test
    void every_invariant_has_a_mutant_that_breaks_it() {
        assertThat(Arrays.stream(SeededMutant.values()).map(SeededMutant::breaks))
                .contains(Invariant.values());
    }

    /** What lives of a mutant break, up to the one that breaks what is expected. */
    private static Set<Invariant> broken(SeededMutant mutant) {
        Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
        for (int seed = 1; seed <= LIVES && !broken.contains(mutant.breaks()); seed++) {
            try {
                new RandomOperations(new Random(seed), mutant).live(OPERATIONS);
            } catch (Breach breach) {
                broken.add(breach.invariant());
            }
        }
        return broken;
    }
}
