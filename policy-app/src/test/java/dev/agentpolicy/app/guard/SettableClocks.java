package dev.agentpolicy.app.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Clocks that a test moves: both as time passes, or only the time of day, as if it had been set. */
public final class SettableClocks {
    private static final long MICROSECOND = 1_000;

    private final AtomicReference<Instant> wall;
    private final AtomicLong boot = new AtomicLong(1_000);

    public SettableClocks(Instant wall) {
        this.wall = new AtomicReference<>(wall);
    }

    public Clocks clocks() {
        return new Clocks(wall::get, new Clocks.BootClock(boot::get, true));
    }

    /** These clocks, but they run. */
    public Clocks running() {
        long begun = System.nanoTime();
        return new Clocks(
                () -> wall.get().plusNanos((System.nanoTime() - begun) / MICROSECOND * MICROSECOND),
                new Clocks.BootClock(() -> boot.get() + System.nanoTime() - begun, true));
    }

    /** On a machine where the clock since boot does not count sleep. */
    Clocks withoutSleep() {
        return new Clocks(wall::get, new Clocks.BootClock(boot::get, false));
    }

    Instant wall() {
        return wall.get();
    }

    public void pass(Duration time) {
        boot.addAndGet(time.toNanos());
        wall.updateAndGet(now -> now.plus(time));
    }

    void jump(Duration by) {
        wall.updateAndGet(now -> now.plus(by));
    }
}
