package dev.agentpolicy.domain.sample;

import java.util.Random;

/**
 * The length and the seed of randomised tests: short in every build, long with {@code -Plong}, or as set by system
 * properties (docs/reliability.md).
 */
public final class ExperimentSettings {

    private ExperimentSettings() {}

    /** The number of repetitions: the value of the property, or else by the length of the run. */
    public static int times(String property, int inEveryBuild, int atLength) {
        return Integer.getInteger(property, times(inEveryBuild, atLength));
    }

    /** The number of repetitions by the length of the run. */
    public static int times(int inEveryBuild, int atLength) {
        return "long".equals(System.getProperty("experiments")) ? atLength : inEveryBuild;
    }

    /** A new seed for each run, or {@code -Dseed=}. Printed before use, since a failing run may print nothing later. */
    public static long seed(Class<?> test) {
        long seed = Long.getLong("seed", new Random().nextInt(1_000_000));
        System.out.printf("%s, seed %d%n", test.getSimpleName(), seed);
        return seed;
    }
}
