package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import java.time.LocalDate;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Counts the calls a day (UTC) of keys that have a daily call cap. Calls that lead to decisions are counted with them,
 * inside {@link Accounts}; all others are counted here. Both see one count, which is exact over all nodes.
 */
public interface DailyCalls {

    /**
     * Counts one call, unless the cap is reached.
     *
     * @param cap at least 1
     * @return the calls of the day, this one included; empty when the cap was reached before, and nothing was counted.
     *     Completes on a thread that must not block, and fails with {@link Unavailable} when the store is away
     */
    CompletionStage<OptionalLong> count(UserId account, AgentKeyId key, LocalDate day, int cap);

    /** Calls that were counted on a day; 0 when none was. Blocks while the store is asked. */
    long counted(UserId account, AgentKeyId key, LocalDate day);
}
