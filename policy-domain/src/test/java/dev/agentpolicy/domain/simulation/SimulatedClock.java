package dev.agentpolicy.domain.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of the simulation. It only goes forward; each node reads it with a small error. */
final class SimulatedClock implements InstantSource {
    private Instant now;
    private Duration skew = Duration.ZERO;

    SimulatedClock(Instant now) {
        this.now = now;
    }

    /** Sets the error of the node that runs now. */
    void readWith(Duration nodeSkew) {
        skew = nodeSkew;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }

    /** Moves the clock to a time, unless it is in the past. */
    void goTo(Instant moment) {
        now = moment.isAfter(now) ? moment : now;
    }

    /** The true time. */
    Instant time() {
        return now;
    }

    @Override
    public Instant instant() {
        return now.plus(skew);
    }
}
