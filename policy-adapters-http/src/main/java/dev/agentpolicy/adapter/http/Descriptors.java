package dev.agentpolicy.adapter.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The file descriptors of this process, each connection being one of them. */
final class Descriptors {
    /** Left for connections to databases, their files, and whatever else is opened while the service runs. */
    private static final int RESERVED = 48;

    private static final int MIN_CONNECTIONS = 16;

    private Descriptors() {}

    /** How many connections fit beside what is open now, at most a number. */
    static int connections(int max) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            return connections(max, unix.getMaxFileDescriptorCount(), unix.getOpenFileDescriptorCount());
        }
        return max;
    }

    static int connections(int max, long descriptors, long open) {
        return descriptors <= 0 ? max : (int) Math.min(max, Math.max(MIN_CONNECTIONS, descriptors - open - RESERVED));
    }
}
