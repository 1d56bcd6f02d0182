package dev.agentpolicy.adapter.http.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** The file descriptors that this process may still open; each connection is one of them. */
final class FileDescriptors {
    /** So many that no number of connections comes near it, and counting them at each connection would cost for nothing. */
    private static final long PLENTY = 16_384;

    private FileDescriptors() {}

    /** Tells how many are free; takes as long as listing those that are open, where there are few. */
    static LongSupplier free() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            long max = unix.getMaxFileDescriptorCount();
            return max <= 0 || max >= PLENTY ? () -> PLENTY : () -> max - unix.getOpenFileDescriptorCount();
        }
        return () -> PLENTY;
    }
}
