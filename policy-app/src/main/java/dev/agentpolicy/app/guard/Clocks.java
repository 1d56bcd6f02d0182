package dev.agentpolicy.app.guard;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The clocks of a node.
 *
 * @param wall the time of day, in whole microseconds
 * @param sinceBoot the time since boot, which the time of day is compared with
 */
public record Clocks(InstantSource wall, BootClock sinceBoot) {
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);

    public static Clocks system() {
        return new Clocks(Clock.tick(Clock.systemUTC(), MICROSECOND), BootClock.system());
    }
}
