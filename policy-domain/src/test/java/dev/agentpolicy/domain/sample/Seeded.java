package dev.agentpolicy.domain.sample;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property on many random cases. A failure names its seed, and {@code -Dlaws.seed=...} runs that case alone. */
public final class Seeded {
    private static final String REPLAY = "laws.seed";
    private static final long FIRST = 20_261_121L;

    private Seeded() {}

    public static void times(int cases, Consumer<Random> law) {
        Long replayed = Long.getLong(REPLAY);
        long first = replayed == null ? FIRST : replayed;
        long count = replayed == null ? cases : 1;
        for (long seed = first; seed < first + count; seed++) {
            try {
                law.accept(new Random(seed * 0x9E3779B97F4A7C15L));
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("Broken at seed " + seed + "; replay with -D" + REPLAY + "=" + seed, broken);
            }
        }
    }
}
