package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** Counts calls in fixed one-second windows, aligned to whole seconds. */
public interface CallCounter {

    /**
     * Counts one call and returns whether it is within the limit. Never fails and never takes long: while calls cannot
     * be counted, all are admitted.
     *
     * @param caller a key id, or a client address
     * @return already complete when the count is in memory; otherwise completes on a thread that counts for other
     *     callers, so callbacks must not block
     */
    CompletionStage<RateBudget> count(String caller, Instant now);
}
