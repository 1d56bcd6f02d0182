package dev.agentpolicy.app;

import java.util.Random;

/**
 * How long and with which chance experiments run: short in every build, long with {@code -Plong}, and as asked for with
 * properties of their own (docs/reliability.md).
 */
final class Experiments {

    private Experiments() {}

    /** How often something is tried: as the property says, else by the length of the run. */
    static int times(String property, int inEveryBuild, int atLength) {
        boolean isLong = "long".equals(System.getProperty("experiments"));
        return Integer.getInteger(property, isLong ? atLength : inEveryBuild);
    }

    /** Another one for each run, or {@code -Dseed=}; whoever draws from it prints it. */
    static long seed() {
        return Long.getLong("seed", new Random().nextInt(1_000_000));
    }
}
