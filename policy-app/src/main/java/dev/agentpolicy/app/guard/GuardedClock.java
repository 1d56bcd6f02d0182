package dev.agentpolicy.app.guard;

import dev.agentpolicy.domain.usecase.upkeep.WriteGate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of a node (docs/operations.md, A clock that is wrong). It detects a jump before the time
 * is used: each reading is compared with {@link System#nanoTime}, and if the two
 * differ, with the time since boot. After a jump it continues with the time since boot. Safe for
 * use by several threads. A reading takes less than a microsecond unless the clock is in doubt.
 */
public final class GuardedClock implements InstantSource {
    /** For how long the clocks must agree until this one is trusted again. */
    static final Duration AGREEMENT = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(GuardedClock.class);
    private static final long MAX_UNCHECKED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clocks clocks;
    private final Duration tolerance;
    private volatile Checked checked;
    private volatile @Nullable Doubt doubt;
    private Instant baseWall;
    private long baseBoot;
    private @Nullable Long agreesSince;

    /** Why the clock is not trusted. */
    enum Doubt {
        /** It is further from the time since boot than it was. */
        JUMPED("clock_jumped", "The clock of this machine has jumped; nothing is decided until it can be trusted."),
        /** It differs from the clock of the database. */
        DATABASE("database_clock", "The clocks of this machine and of the database differ; nothing is decided.");

        private final String label;
        private final String sentence;

        Doubt(String label, String sentence) {
            this.label = label;
            this.sentence = sentence;
        }
    }

    /** When the clock was last held against the time since boot. */
    private record Checked(Instant wall, long nanoTime) {}

    public GuardedClock(Clocks clocks, Duration tolerance) {
        this.clocks = clocks;
        this.tolerance = tolerance;
        this.baseWall = clocks.wall().instant();
        this.baseBoot = clocks.sinceBoot().nanos().getAsLong();
        this.checked = new Checked(baseWall, System.nanoTime());
    }

    @Override
    public Instant instant() {
        Instant now = clocks.wall().instant();
        Checked last = checked;
        long ahead = nanosBetween(last.wall, now) - (System.nanoTime() - last.nanoTime);
        return doubt == null && Math.abs(ahead) <= MAX_UNCHECKED_NANOS ? now : check();
    }

    /** The clock of the machine, unchecked. */
    Instant wall() {
        return clocks.wall().instant();
    }

    public boolean isTrusted() {
        return doubt == null;
    }

    /** Whether it is this that the clock is doubted for. */
    boolean isDoubted(Doubt reason) {
        return doubt == reason;
    }

    /** What stops agents' decisions, one for each reason to doubt the clock. */
    public Stream<WriteGate.Obstacle> obstacles() {
        return Stream.of(Doubt.values())
                .map(reason -> new WriteGate.Obstacle(
                        reason.label, () -> isDoubted(reason) ? Optional.of(reason.sentence) : Optional.empty()));
    }

    /** Why nothing may be decided now; empty while the clock is trusted. */
    public Optional<String> stop() {
        return Optional.ofNullable(doubt).map(reason -> reason.sentence);
    }

    /** Holds the clock against the time since boot, whatever was found before; answers the time to go by. */
    synchronized Instant check() {
        long boot = clocks.sinceBoot().nanos().getAsLong();
        Instant now = clocks.wall().instant();
        Instant expected = expected(boot);
        boolean hasJumped = isApart(expected, now);
        if (hasJumped && !clocks.sinceBoot().countsSleep() && now.isAfter(expected)) {
            // The machine may just have slept.
            rebase(now, boot);
            return now;
        }
        if (hasJumped) {
            begin(Doubt.JUMPED, Duration.between(expected, now));
            return expected;
        }
        checked = new Checked(now, System.nanoTime());
        return now;
    }

    /**
     * Records a reading of the clock of the database.
     *
     * @param ahead by how much this clock is ahead of it
     */
    synchronized void compared(Duration ahead) {
        if (ahead.abs().compareTo(tolerance) > 0) {
            begin(Doubt.DATABASE, ahead);
            agreesSince = null;
        } else if (doubt != null) {
            agrees();
        }
    }

    /** Takes note of it that the clock of the database cannot be asked. */
    synchronized void unknown() {
        agreesSince = null;
    }

    /** Where no other clock can be asked: it is enough that this one agrees with the time since boot again. */
    synchronized void comparedWithBootOnly() {
        if (doubt != null) {
            if (isApart(expected(clocks.sinceBoot().nanos().getAsLong()), wall())) {
                agreesSince = null;
            } else {
                agrees();
            }
        }
    }

    private void agrees() {
        long boot = clocks.sinceBoot().nanos().getAsLong();
        if (agreesSince == null) {
            agreesSince = boot;
        }
        if (boot - agreesSince >= AGREEMENT.toNanos()) {
            rebase(wall(), boot);
            agreesSince = null;
            doubt = null;
            LOG.info("The clock is trusted again, and deciding goes on");
        }
    }

    private void begin(Doubt reason, Duration ahead) {
        if (doubt == null) {
            LOG.error(
                    "Deciding has stopped: {} This clock is off by {} s, and {} s are tolerated"
                            + " (docs/operations.md, A clock that is wrong)",
                    reason.sentence,
                    ahead.toSeconds(),
                    tolerance.toSeconds());
            doubt = reason;
        }
    }

    private void rebase(Instant now, long boot) {
        baseWall = now;
        baseBoot = boot;
        checked = new Checked(now, System.nanoTime());
    }

    private Instant expected(long boot) {
        return baseWall.plusNanos(boot - baseBoot);
    }

    private boolean isApart(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(tolerance) > 0;
    }

    /** Clamped, as a clock may have been set to any year. */
    private static long nanosBetween(Instant from, Instant to) {
        long seconds = to.getEpochSecond() - from.getEpochSecond();
        long most = TimeUnit.DAYS.toSeconds(365);
        return TimeUnit.SECONDS.toNanos(Math.max(-most, Math.min(most, seconds))) + to.getNano() - from.getNano();
    }
}
