package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;

/** Counts calls in fixed one-second windows, aligned to whole seconds. */
public interface CallCounter {

    /**
     * Counts one call and says whether it is within the limit.
     *
     * @param caller a key id, or a client address
     */
    RateBudget count(String caller, Instant now);
}
