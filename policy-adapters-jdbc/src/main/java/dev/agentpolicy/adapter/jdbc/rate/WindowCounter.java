package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts the calls to this process. A ring keeps the windows of the last seconds, so that a call which arrives around the
 * end of a second is counted in its own second.
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
