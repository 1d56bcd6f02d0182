package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import dev.agentpolicy.domain.port.InMemoryCallCounter;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A call counter in memory that answers a little later on another thread, like a shared one. */
public final class DelayedCallCounter implements CallCounter {
    private final CallCounter counter;

    public DelayedCallCounter(int perSecond) {
        this.counter = new InMemoryCallCounter(perSecond);
    }

    @Override
    public CompletionStage<RateBudget> count(String caller, Instant now) {
        CompletionStage<RateBudget> counted = counter.count(caller, now);
        return CompletableFuture.runAsync(() -> {}).thenCombine(counted, (nothing, budget) -> budget);
    }
}
