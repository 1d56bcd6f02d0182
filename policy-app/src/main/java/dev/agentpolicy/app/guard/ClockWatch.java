package dev.agentpolicy.app.guard;

import dev.agentpolicy.adapter.jdbc.JdbcStore;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.app.config.Config;
import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.document.Instants;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clock of a node with the clock and the events of its database: once before the node starts, and every
 * few seconds while it runs. A database on H2 has no clock of its own.
 */
public final class ClockWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int ROUNDS_BETWEEN_QUERIES = 5;

    private final GuardedClock clock;
    private final Config.ClockTrust settings;
    private final JdbcStore store;
    private final Scheduler thread = new Scheduler("clock");
    /** By how much this clock was ahead when the operator said that this is right. */
    private Duration accepted = Duration.ZERO;

    private int rounds;

    public ClockWatch(GuardedClock clock, Config.ClockTrust settings, JdbcStore store) {
        this.clock = clock;
        this.settings = settings;
        this.store = store;
    }

    /**
     * Refuses to start with a clock that is behind the newest event or apart from the clock of a server of the database, each by more
     * than is tolerated and without an override.
     *
     * @throws CannotStart with both times and what can be done
     */
    public void requireRight() {
        ahead(store::databaseTimes).max(Comparator.comparing(Duration::abs)).ifPresent(this::requireAgreement);
        store.newestEvent().after(clock.wall().plus(settings.tolerance())).ifPresent(this::refuseBehind);
    }

    private void requireAgreement(Duration ahead) {
        if (ahead.abs().compareTo(settings.tolerance()) <= 0) {
            return;
        }
        Instant now = clock.wall();
        String difference = "The clock of this machine says " + Instants.format(now) + " and that of the database "
                + Instants.format(now.minus(ahead)) + ", which is further apart than the "
                + settings.tolerance().toSeconds()
                + " s of POLICY_CLOCK_TOLERANCE_SECONDS.";
        if (!settings.acceptsDatabase()) {
            throw new CannotStart(
                    difference + " Set the one that is wrong; or, if this machine is right and the database"
                            + " cannot be set, start with POLICY_CLOCK_OVERRIDE=" + Config.ClockTrust.DATABASE + ".");
        }
        LOG.warn("{} This is accepted, as POLICY_CLOCK_OVERRIDE says", difference);
        accepted = ahead;
    }

    private void refuseBehind(Instant newest) {
        String difference = "The clock of this machine says " + Instants.format(clock.wall())
                + ", which is before the newest event, of " + Instants.format(newest) + ".";
        if (settings.newest().isBefore(newest)) {
            throw new CannotStart(
                    difference + " Set the clock; or, if it is right and the event was written by a node whose"
                            + " clock ran ahead, start with POLICY_CLOCK_OVERRIDE=" + Instants.format(newest) + ".");
        }
        LOG.warn("{} This is accepted, as POLICY_CLOCK_OVERRIDE says", difference);
    }

    /** Watches from now on. */
    public void begin() {
        thread.repeat("Comparing the clocks", PAUSE, PAUSE, this::round);
    }

    private void round() {
        try {
            clock.check();
            rounds++;
            if (rounds % ROUNDS_BETWEEN_QUERIES == 0) {
                store.newestEvent().note();
            }
            if (!clock.isTrusted() || rounds % ROUNDS_BETWEEN_QUERIES == 0) {
                compare();
            }
        } catch (Unavailable away) {
            clock.unknown();
        } catch (RuntimeException failed) {
            clock.unknown();
            throw failed;
        }
    }

    private void compare() {
        Optional<Duration> ahead =
                ahead(() -> store.databaseTime().stream().toList()).findFirst();
        if (ahead.isPresent()) {
            clock.compared(ahead.get().minus(accepted));
        } else {
            clock.comparedWithBootOnly();
        }
    }

    /** By how much the clock of this machine is surely ahead of those of the database, however long the answer took. */
    private Stream<Duration> ahead(Supplier<List<Instant>> times) {
        Instant asked = clock.wall();
        List<Instant> told = times.get();
        Instant answered = clock.wall();
        return told.stream().map(database -> {
            Duration least = Duration.between(database, asked);
            Duration most = Duration.between(database, answered);
            if (least.isNegative()) {
                return most.isNegative() ? most : Duration.ZERO;
            }
            return least;
        });
    }

    @Override
    public void close() {
        thread.close();
    }
}
