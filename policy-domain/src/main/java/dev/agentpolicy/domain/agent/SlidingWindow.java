package dev.agentpolicy.domain.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits how often something is done within any hour, or another window: sign-ups of one network, mails to one address.
 *
 * <p>Counts are kept in memory: each node counts for itself and a restart clears them. At most {@value #MAX_REMEMBERED}
 * uses are kept; beyond that, the names whose last use is oldest are forgotten first. Thread-safe.
 */
public final class SlidingWindow {
    static final int MAX_REMEMBERED = 50_000;

    private final int max;
    private final Duration window;
    private final AtomicInteger remembered = new AtomicInteger();
    /** The uses of each name, oldest first; names in the order of their latest use. */
    private final Map<String, ArrayDeque<Instant>> byName = new LinkedHashMap<>();

    /** @param perHour uses of one name within an hour; 0 for no limit */
    public SlidingWindow(int perHour) {
        this(perHour, Duration.ofHours(1));
    }

    /** @param max uses of one name within the window; 0 for no limit */
    public SlidingWindow(int max, Duration window) {
        this.max = max;
        this.window = window;
    }

    /** Counts a use and returns 0, or returns the seconds to wait when the name has reached its limit. */
    public synchronized long secondsToWait(String name, Instant now) {
        if (max == 0) {
            return 0;
        }
        ArrayDeque<Instant> recent = byName.getOrDefault(name, new ArrayDeque<>());
        while (!recent.isEmpty() && !recent.peekFirst().plus(window).isAfter(now)) {
            recent.removeFirst();
            remembered.decrementAndGet();
        }
        if (recent.size() >= max) {
            long left = Duration.between(now, recent.getFirst().plus(window)).toSeconds() + 1;
            return Math.min(left, Math.max(1, window.toSeconds()));
        }
        recent.addLast(now);
        remembered.incrementAndGet();
        byName.remove(name);
        byName.put(name, recent);
        forgetQuietest();
        return 0;
    }

    private void forgetQuietest() {
        Iterator<ArrayDeque<Instant>> quietest = byName.values().iterator();
        while (remembered.get() > MAX_REMEMBERED && quietest.hasNext()) {
            remembered.addAndGet(-quietest.next().size());
            quietest.remove();
        }
    }
}
