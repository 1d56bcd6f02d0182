package dev.agentpolicy.domain.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The time of the town, which goes forward only, as the node at work reads it off a clock that is a little wrong. */
final class SimulatedClock implements InstantSource {
    private Instant now;
    private Duration skew = Duration.ZERO;

    SimulatedClock(Instant now) {
        this.now = now;
    }

    /** Whose clock is read from now on. */
    void readWith(Duration nodeSkew) {
        skew = nodeSkew;
    }

    void advance(Duration by) {
        now = now.plus(by);
    }

    /** Goes to a moment, unless it is over. */
    void goTo(Instant moment) {
        now = moment.isAfter(now) ? moment : now;
    }

    @Override
    public Instant instant() {
        return now.plus(skew);
    }
}
