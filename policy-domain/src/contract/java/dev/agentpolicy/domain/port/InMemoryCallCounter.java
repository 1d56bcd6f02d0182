package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Counts calls in memory and never forgets a window. */
public final class InMemoryCallCounter implements CallCounter {
    private final int perSecond;
    private final Map<List<Object>, Long> calls = new HashMap<>();

    public InMemoryCallCounter(int perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public synchronized CompletionStage<RateBudget> count(String caller, Instant now) {
        long count = calls.merge(List.of(caller, now.getEpochSecond()), 1L, Long::sum);
        return CompletableFuture.completedStage(RateBudget.after(count, perSecond));
    }
}
