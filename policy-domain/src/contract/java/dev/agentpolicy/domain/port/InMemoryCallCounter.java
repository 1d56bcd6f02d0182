package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts every second of every caller, and forgets none. */
public final class InMemoryCallCounter implements CallCounter {
    private final int perSecond;
    private final Map<List<Object>, Long> calls = new HashMap<>();

    public InMemoryCallCounter(int perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public synchronized RateBudget count(String caller, Instant now) {
        return RateBudget.after(calls.merge(List.of(caller, now.getEpochSecond()), 1L, Long::sum), perSecond);
    }
}
