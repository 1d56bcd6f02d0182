package dev.agentpolicy.app;

import dev.agentpolicy.app.guard.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of this machine, set back while the history of the demonstration is made. It runs, and leaps forward only. */
final class DemoClock implements InstantSource {
    private final InstantSource present = Clocks.system().wall();
    private volatile Duration behind;

    /** @param behind how far it is set back at first */
    DemoClock(Duration behind) {
        this.behind = behind;
    }

    @Override
    public Instant instant() {
        return present.instant().minus(behind);
    }

    /** Moves forward to the time that was so long ago. */
    void leapTo(Duration ago) {
        if (ago.isNegative() || ago.compareTo(behind) > 0) {
            throw new IllegalArgumentException("From " + behind + " ago it cannot leap to " + ago + " ago.");
        }
        behind = ago;
    }
}
