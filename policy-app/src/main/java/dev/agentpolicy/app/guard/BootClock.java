package dev.agentpolicy.app.guard;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time since the machine started, which nobody can set.
 *
 * @param nanos nanoseconds since a fixed moment in the past
 * @param countsSleep whether it counts the time that the machine was suspended
 */
record BootClock(LongSupplier nanos, boolean countsSleep) {
    private static final Logger LOG = LoggerFactory.getLogger(BootClock.class);
    private static final Path UPTIME = Path.of("/proc/uptime");
    private static final int NANO_DIGITS = 9;

    /**
     * That of this machine: on Linux the boot time of {@code /proc/uptime}, in hundredths of a second. Elsewhere Java has
     * only {@link System#nanoTime}, which may stand still while the machine sleeps.
     */
    static BootClock system() {
        try {
            read();
            return new BootClock(BootClock::uptime, true);
        } catch (IOException | NumberFormatException elsewhere) {
            LOG.debug("There is no {}", UPTIME, elsewhere);
            return new BootClock(System::nanoTime, false);
        }
    }

    private static long uptime() {
        try {
            return read();
        } catch (IOException failed) {
            throw new IllegalStateException("The file " + UPTIME + " cannot be read any more.", failed);
        }
    }

    private static long read() throws IOException {
        String text = Files.readString(UPTIME);
        return new BigDecimal(text.substring(0, Math.max(0, text.indexOf(' '))))
                .movePointRight(NANO_DIGITS)
                .longValue();
    }
}
