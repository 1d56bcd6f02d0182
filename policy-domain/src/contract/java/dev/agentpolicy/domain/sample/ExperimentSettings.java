package dev.agentpolicy.domain.sample;

import java.util.Random;

/**
 * How long and with which chance experiments run: short in every build, long with {@code -Plong}, and as asked for with
 * properties of their own (docs/reliability.md).
 */
public final class ExperimentSettings {

    private ExperimentSettings() {}

    /** How often something is tried: as the property says, else by the length of the run. */
    public static int times(String property, int inEveryBuild, int atLength) {
        return Integer.getInteger(property, times(inEveryBuild, atLength));
    }

    /** How often something is tried that no property sets. */
    public static int times(int inEveryBuild, int atLength) {
        return "long".equals(System.getProperty("experiments")) ? atLength : inEveryBuild;
    }

    /** Another one for each run, or {@code -Dseed=}; printed before it is used, as a run that fails prints nothing later. */
    public static long seed(Class<?> test) {
        long seed = Long.getLong("seed", new Random().nextInt(1_000_000));
        System.out.printf("%s, seed %d%n", test.getSimpleName(), seed);
        return seed;
    }
}
