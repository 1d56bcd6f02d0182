package dev.agentpolicy.app;

import dev.agentpolicy.app.guard.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of this machine, set back while the history of the demonstration is made. It runs, and leaps forward only. */
final class DemoClock implements InstantSource {
    private final InstantSource present = Clocks.system().wall();
    private volatile Duration behind;

    /** @param behind how long ago it is at first */
    DemoClock(Duration behind) {
        this.behind = behind;
    }

    @Override
    public Instant instant() {
        return present.instant().minus(behind);
    }

    /** Leaps to a later time, given by how long ago it is. */
    void leapTo(Duration ago) {
        if (ago.isNegative() || ago.compareTo(behind) > 0) {
            throw new IllegalArgumentException("From " + behind + " ago it cannot leap to " + ago + " ago.");
        }
        behind = ago;
    }
}
