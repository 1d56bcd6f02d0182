package dev.agentpolicy.adapter.http;

import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.port.CallCounter;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Counts calls in memory, in windows of one second. */
final class CountedCalls implements CallCounter {
    private final int perSecond;
    private final Map<String, Long> calls = new HashMap<>();

    CountedCalls(int perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public synchronized RateBudget count(String caller, Instant now) {
        return RateBudget.after(calls.merge(caller + "@" + now.getEpochSecond(), 1L, Long::sum), perSecond);
    }
}
