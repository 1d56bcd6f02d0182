package dev.agentpolicy.domain.usecase.signin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the sign-ups of one network, and the mails to one address, within any hour.
 *
 * <p>Counts are kept in memory: each node counts for itself and a restart clears them. At most {@value #MAX_REMEMBERED}
 * sign-ups are kept; beyond that, the networks whose last sign-up is oldest are forgotten first. Thread-safe.
 */
final class SignUpThrottle {
    static final int MAX_REMEMBERED = 50_000;
    private static final Duration WINDOW = Duration.ofHours(1);

    private final int perHour;
    private final AtomicInteger remembered = new AtomicInteger();
    /** The sign-ups of each network, oldest first; networks in the order of their latest sign-up. */
    private final Map<String, ArrayDeque<Instant>> byNetwork = new LinkedHashMap<>();

    /** @param perHour sign-ups of one network within an hour; 0 for no limit */
    SignUpThrottle(int perHour) {
        this.perHour = perHour;
    }

    /** Counts a sign-up and returns 0, or returns the seconds to wait when the network has reached its limit. */
    synchronized long secondsToWait(String network, Instant now) {
        if (perHour == 0) {
            return 0;
        }
        ArrayDeque<Instant> recent = byNetwork.getOrDefault(network, new ArrayDeque<>());
        while (!recent.isEmpty() && !recent.peekFirst().plus(WINDOW).isAfter(now)) {
            recent.removeFirst();
            remembered.decrementAndGet();
        }
        if (recent.size() >= perHour) {
            long left = Duration.between(now, recent.getFirst().plus(WINDOW)).toSeconds() + 1;
            return Math.min(left, WINDOW.toSeconds());
        }
        recent.addLast(now);
        remembered.incrementAndGet();
        byNetwork.remove(network);
        byNetwork.put(network, recent);
        forgetQuietest();
        return 0;
    }

    private void forgetQuietest() {
        Iterator<ArrayDeque<Instant>> quietest = byNetwork.values().iterator();
        while (remembered.get() > MAX_REMEMBERED && quietest.hasNext()) {
            remembered.addAndGet(-quietest.next().size());
            quietest.remove();
        }
    }
}
