package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts the calls to this process. The windows of the last few seconds are kept in a ring, so that calls that come in
 * while a second ends are each counted in their own; memory is bounded by what a process can answer in that time.
 */
final class WindowCounter implements CallCounter {
    static final int WINDOWS_KEPT = 4;

    private final int perSecond;
    private final AtomicReferenceArray<CallWindow> ring = new AtomicReferenceArray<>(WINDOWS_KEPT);

    WindowCounter(int perSecond) {
        this.perSecond = perSecond;
        for (int place = 0; place < WINDOWS_KEPT; place++) {
            ring.set(place, new CallWindow(Long.MIN_VALUE));
        }
    }

    @Override
    public CompletionStage<RateBudget> count(String caller, Instant now) {
        return CompletableFuture.completedStage(counted(caller, now));
    }

    RateBudget counted(String caller, Instant now) {
        return RateBudget.after(window(now.getEpochSecond()).count(caller), perSecond);
    }

    private CallWindow window(long second) {
        int place = Math.floorMod(second, WINDOWS_KEPT);
        while (true) {
            CallWindow window = ring.get(place);
            if (window.counts(second)) {
                return window;
            }
            ring.compareAndSet(place, window, new CallWindow(second));
        }
    }
}
