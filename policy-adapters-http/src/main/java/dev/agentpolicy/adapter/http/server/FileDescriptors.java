package dev.agentpolicy.adapter.http.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/** The file descriptors that this process can still open. Each connection uses one. */
final class FileDescriptors {
    /** Enough for any number of connections. Counting descriptors at each connection would be a waste. */
    private static final long PLENTY = 16_384;

    private FileDescriptors() {}

    /** Supplies the number of free descriptors. It takes as long as listing the open ones, if the limit is low. */
    static LongSupplier free() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            long max = unix.getMaxFileDescriptorCount();
            return max <= 0 || max >= PLENTY ? () -> PLENTY : () -> max - unix.getOpenFileDescriptorCount();
        }
        return () -> PLENTY;
    }
}
