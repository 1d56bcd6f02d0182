package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts the calls to this process. A ring keeps the windows of the last seconds, so that a call which arrives around the
 * end of a second is counted in its own second.
 */
final class WindowCounter implements CallCounter, CallCounters {
    private static final int WINDOWS_KEPT = 4;
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(WINDOWS_KEPT - 1);
    /** Above that, new callers share one count. */
    private static final int MAX_CALLERS = 100_000;

    private static final String OTHER_CALLERS = "";

    private final int perSecond;
    private final AtomicReferenceArray<Window> ring = new AtomicReferenceArray<>(WINDOWS_KEPT);

    WindowCounter(int perSecond) {
        this.perSecond = perSecond;
        for (int place = 0; place < WINDOWS_KEPT; place++) {
            ring.set(place, new Window(Long.MIN_VALUE));
        }
    }

    @Override
    public CallCounter counter() {
        return this;
    }

    @Override
    public CompletionStage<RateBudget> count(String caller, Instant now) {
        long calls = window(now.getEpochSecond()).count(caller);
        return CompletableFuture.completedStage(RateBudget.after(calls, perSecond));
    }

    private Window window(long second) {
        int place = Math.floorMod(second, WINDOWS_KEPT);
        while (true) {
            Window window = ring.get(place);
            if (window.counts(second)) {
                return window;
            }
            ring.compareAndSet(place, window, new Window(second));
        }
    }

    /** The calls of one second by caller. */
    private record Window(long second, long openedNanos, ConcurrentMap<String, AtomicLong> calls) {
        Window(long second) {
            this(second, System.nanoTime(), new ConcurrentHashMap<>());
        }

        /**
         * Whether calls of a second are counted here. True for its own second, and for earlier seconds whose window this
         * one has replaced, unless this window is old: then the clock was set back.
         */
        boolean counts(long otherSecond) {
            return second == otherSecond || second > otherSecond && System.nanoTime() - openedNanos < LIFE_NANOS;
        }

        /** Counts one call and returns the number of calls of this caller. */
        long count(String caller) {
            AtomicLong known = calls.get(caller);
            return known != null
                    ? known.incrementAndGet()
                    : calls.computeIfAbsent(
                                    calls.size() < MAX_CALLERS ? caller : OTHER_CALLERS, any -> new AtomicLong())
                            .incrementAndGet();
        }
    }
}
