package dev.agentpolicy.domain.sample;

import java.util.Random;
import java.util.function.Consumer;

/** Runs a property on many random cases. A failure names its seed, and {@code -Dlaws.seed=...} runs that case alone. */
public final class Seeded {
    private static final String REPLAY = "laws.seed";
    private static final long FIRST = 20_261_121L;

    private Seeded() {}

    /** The same cases in every run. */
    public static void times(int cases, Consumer<Random> law) {
        from(FIRST, cases, law);
    }

    /** Other cases in every run, for properties that are searched for a case which breaks them. */
    public static void search(int cases, Consumer<Random> law) {
        long first = new Random().nextInt(1_000_000_000);
        System.out.printf("%d cases from seed %d%n", cases, first);
        from(first, cases, law);
    }

    private static void from(long unlessReplayed, int cases, Consumer<Random> law) {
        Long replayed = Long.getLong(REPLAY);
        long first = replayed == null ? unlessReplayed : replayed;
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
