package dev.agentpolicy.app.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free space of the volume of the database file. Below the configured minimum agents' decisions
 * stop; below a quarter of it all writes stop. The space is measured once a second, so a check costs a call nothing.
 */
public final class DiskGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long MEGABYTE = 1024 * 1024;
    private static final int FOR_THE_OWNER = 4;
    /** Work resumes at this fraction above the minimum, so that a disk at the limit is not logged every second. */
    private static final int MARGIN = 32;

    private final long minimum;
    private final Scheduler thread = new Scheduler("disk-guard");
    private final Threshold decisions;
    private final Threshold writes;
    private volatile double free = Double.NaN;
    private boolean isUnknown;

    /** @param minimumMegabytes below which decisions stop; 0 watches nothing */
    public DiskGuard(int minimumMegabytes) {
        minimum = minimumMegabytes * MEGABYTE;
        decisions = new Threshold(minimum, "agents' decisions");
        writes = new Threshold(minimum / FOR_THE_OWNER, "everything that writes");
    }

    /** Measures once now, and then every second until this is closed. */
    public void watch(Path directory) {
        if (minimum > 0) {
            look(directory);
            thread.repeat("Watching the disk", PAUSE, PAUSE, () -> look(directory));
        }
    }

    /** Why agents' decisions are stopped; empty while there is room for them. */
    public Optional<String> decisionsStopped() {
        return decisions.reason;
    }

    /** Why nothing is written; empty while there is room for what the owner does. */
    public Optional<String> writesStopped() {
        return writes.reason;
    }

    /** Free bytes as last seen; NaN when nothing is watched. */
    public double free() {
        return free;
    }

    @Override
    public void close() {
        thread.close();
    }

    private void look(Path directory) {
        try {
            long now = Files.getFileStore(directory).getUsableSpace();
            free = now;
            decisions.see(now, directory);
            writes.see(now, directory);
            isUnknown = false;
        } catch (IOException failed) {
            if (!isUnknown) {
                LOG.warn(
                        "The free space of {} cannot be found out; what was last seen of it stands", directory, failed);
            }
            isUnknown = true;
        }
    }

    /** One threshold, and what stops below it. */
    private static final class Threshold {
        private final long minimum;
        private final String what;
        private volatile Optional<String> reason = Optional.empty();

        Threshold(long minimum, String what) {
            this.minimum = minimum;
            this.what = what;
        }

        void see(long free, Path directory) {
            if (reason.isEmpty() && free < minimum) {
                reason = Optional.of("Less than " + minimum / MEGABYTE + " MB are free on the volume of " + directory);
                LOG.warn("{}: {} stop until there is room", reason.get(), what);
            } else if (reason.isPresent() && free >= minimum + minimum / MARGIN) {
                reason = Optional.empty();
                LOG.info("There is room again on the volume of {}: {} go on", directory, what);
            }
        }
    }
}
