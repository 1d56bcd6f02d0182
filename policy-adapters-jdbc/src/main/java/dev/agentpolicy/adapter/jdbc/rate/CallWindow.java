package dev.agentpolicy.adapter.jdbc.rate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the calls of one second by caller. Above 100 000 callers, new ones share one count. */
final class CallWindow {
    private static final int MAX_CALLERS = 100_000;
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(WindowCounter.WINDOWS_KEPT - 1);
    private static final String OTHER_CALLERS = "";

    private final long second;
    private final long openedNanos = System.nanoTime();
    private final ConcurrentMap<String, AtomicLong> calls = new ConcurrentHashMap<>();

    CallWindow(long second) {
        this.second = second;
    }

    /**
     * Whether calls of a second are counted here. True for its own second, and for earlier seconds whose window this one
     * has replaced, unless this window is old: then the clock was set back.
     */
    boolean counts(long otherSecond) {
        return second == otherSecond || second > otherSecond && System.nanoTime() - openedNanos < LIFE_NANOS;
    }

    /** Counts one call and returns the number of calls of this caller. */
    long count(String caller) {
        AtomicLong known = calls.get(caller);
        return known != null ? known.incrementAndGet() : first(caller).incrementAndGet();
    }

    private AtomicLong first(String caller) {
        String name = calls.size() < MAX_CALLERS ? caller : OTHER_CALLERS;
        return calls.computeIfAbsent(name, any -> new AtomicLong());
    }
}
