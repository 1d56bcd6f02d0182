package dev.agentpolicy.app.hostile;

/** How long to go on: a moment in every build, longer with {@code -Plong}; {@code -Dseed=} repeats a run. */
final class Length {
    private Length() {}

    static int of(int usual, int longer) {
        return "long".equals(System.getProperty("experiments")) ? longer : usual;
    }

    static long seed() {
        return Long.getLong("seed", System.nanoTime());
    }
}
