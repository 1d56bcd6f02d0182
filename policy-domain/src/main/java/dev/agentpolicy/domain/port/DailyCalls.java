package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Counts the calls of keys that have a daily call cap, per UTC day. Calls that lead to a decision are counted together
 * with it by {@link Accounts}; all other calls are counted here. Both use the same count, which is exact over all
 * nodes.
 */
public interface DailyCalls {

    /**
     * Counts one call, unless the cap is reached.
     *
     * @param cap at least 1
     * @return the calls of the day, this one included; empty, and nothing is counted, when the cap was reached before.
     *     Completes on a thread that must not block; fails with {@link Unavailable} when the store cannot be reached
     */
    CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap);

    /** The number of calls counted on a day. Blocks on a query. */
    long counted(UserId account, AgentKeyId key, LocalDate day);
}
