package dev.agentpolicy.adapter.http;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition that other threads bring about. */
public final class Await {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private Await() {}

    public static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > TIMEOUT.toNanos()) {
                throw new AssertionError("It did not come to that within " + TIMEOUT + ".");
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }
    }
}
