package dev.agentpolicy.app.guard;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What a node knows of the time.
 *
 * @param wall the time of day, in whole microseconds
 * @param sinceBoot what it is held against
 */
public record Clocks(InstantSource wall, SinceBoot sinceBoot) {
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);

    public static Clocks system() {
        return new Clocks(Clock.tick(Clock.systemUTC(), MICROSECOND), SinceBoot.system());
    }
}
