package dev.agentpolicy.domain.port;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that only moves when it is set. */
public final class SettableClock implements InstantSource {
    private volatile Instant now;

    public SettableClock(Instant now) {
        this.now = now;
    }

    public void set(Instant instant) {
        now = instant;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
