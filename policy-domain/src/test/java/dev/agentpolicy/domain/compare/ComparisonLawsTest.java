package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Laws over random pairs of statements: {@code -Dcomparisons=N -Dsituations=N -Dseed=N} search more of them. */
class ComparisonLawsTest {
    private static final int COMPARISONS = Integer.getInteger("comparisons", 60);
    private static final int SITUATIONS = Integer.getInteger("situations", 40);

    @Test
    void noSituationContradictsTheRelation() {
        ComparisonLaw law = new ComparisonLaw(SITUATIONS);
        long seed = Long.getLong("seed", new Random().nextInt());
        for (long at = seed; at < seed + COMPARISONS; at++) {
            assertThat(law.apply(at)).isNull();
        }
    }
}
