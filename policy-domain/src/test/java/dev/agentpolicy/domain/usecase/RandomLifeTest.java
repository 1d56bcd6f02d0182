package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.sample.Seeded;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two hundred thousand random things happen in five hundred houses; see {@link RandomLedger} for what must hold. */
@Tag("slow")
class RandomLifeTest {
    private static final int HOUSES = 500;
    private static final int STEPS = 400;

    @Test
    @Timeout(120)
    void caps_requests_executions_and_books_agree_whatever_happens() {
        Seeded.times(HOUSES, random -> {
            RandomLife life = new RandomLife(random);
            for (int step = 0; step < STEPS; step++) {
                life.step();
            }
            life.end();
        });
    }
}
