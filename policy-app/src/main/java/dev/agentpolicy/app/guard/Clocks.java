package dev.agentpolicy.app.guard;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clocks of a node.
 *
 * @param wall the time of day, in whole microseconds
 * @param sinceBoot the time since boot, which the time of day is compared with
 */
public record Clocks(InstantSource wall, BootClock sinceBoot) {
    private static final Logger LOG = LoggerFactory.getLogger(Clocks.class);
    private static final Duration MICROSECOND = Duration.ofNanos(1_000);
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final int NANO_DIGITS = 9;

    /**
     * The time since the machine started, which nobody can set.
     *
     * @param nanos nanoseconds since a fixed moment in the past
     * @param countsSleep whether it counts the time that the machine was suspended
     */
    record BootClock(LongSupplier nanos, boolean countsSleep) {}

    /**
     * Those of this machine. On Linux the boot time is that of {@code /proc/uptime}, in hundredths of a second. Elsewhere
     * Java has only {@link System#nanoTime}, which may stand still while the machine sleeps.
     */
    public static Clocks system() {
        return new Clocks(Clock.tick(Clock.systemUTC(), MICROSECOND), boot());
    }

    /** Those of this machine with another time of day, which may leap forward as it does after sleep. */
    public static Clocks leaping(InstantSource wall) {
        return new Clocks(wall, new BootClock(System::nanoTime, false));
    }

    private static BootClock boot() {
        try {
            uptime();
            return new BootClock(Clocks::uptimeOfBefore, true);
        } catch (IOException | NumberFormatException elsewhere) {
            LOG.debug("There is no {}", UPTIME, elsewhere);
            return new BootClock(System::nanoTime, false);
        }
    }

    private static long uptimeOfBefore() {
        try {
            return uptime();
        } catch (IOException failed) {
            throw new IllegalStateException("The file " + UPTIME + " cannot be read any more.", failed);
        }
    }

    private static long uptime() throws IOException {
        String text = Files.readString(UPTIME);
        return new BigDecimal(text.substring(0, Math.max(0, text.indexOf(' '))))
                .movePointRight(NANO_DIGITS)
                .longValue();
    }
}
