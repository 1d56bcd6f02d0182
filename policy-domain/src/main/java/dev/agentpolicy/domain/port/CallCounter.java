package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.RateBudget;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/** Counts calls in fixed one-second windows, aligned to whole seconds. */
public interface CallCounter {

    /**
     * Counts one call and says whether it is within the limit. It never fails and never takes long; a counter that
     * cannot count admits.
     *
     * @param caller a key id, or a client address
     * @return already done where the count is at hand; else it is done by a thread that has to go on counting
     */
    CompletionStage<RateBudget> count(String caller, Instant now);
}
