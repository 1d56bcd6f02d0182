package dev.agentpolicy.adapter.jdbc.rate;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Calls of one second by caller; callers beyond a hundred thousand are counted together. */
final class CallWindow {
    private static final int MAX_CALLERS = 100_000;
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(WindowCounter.WINDOWS_KEPT - 1);
    private static final String EVERYBODY_ELSE = "";

    private final long second;
    private final long openedNanos = System.nanoTime();
    private final ConcurrentMap<String, AtomicLong> calls = new ConcurrentHashMap<>();

    CallWindow(long second) {
        this.second = second;
    }

    /**
     * Whether calls of a second are counted here: its own, and those of an earlier one whose window has just given way
     * to this one. One that was opened long ago stands for nothing, wherever the clock has gone since.
     */
    boolean counts(long otherSecond) {
        return second == otherSecond || second > otherSecond && System.nanoTime() - openedNanos < LIFE_NANOS;
    }

    /** Counts one call; answers how many there are of this caller. */
    long count(String caller) {
        AtomicLong known = calls.get(caller);
        return known != null ? known.incrementAndGet() : first(caller).incrementAndGet();
    }

    private AtomicLong first(String caller) {
        String name = calls.size() < MAX_CALLERS ? caller : EVERYBODY_ELSE;
        return calls.computeIfAbsent(name, any -> new AtomicLong());
    }
}
