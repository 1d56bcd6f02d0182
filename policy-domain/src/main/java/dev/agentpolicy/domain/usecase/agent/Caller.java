package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;

/**
 * An agent whose call was admitted.
 *
 * @param key the key of the agent
 * @param account the account it acts on: its user's account, or the sandbox account of the key
 * @param useCases the use cases for that account
 * @param address where it called from
 */
public record Caller(AgentKey key, UserId account, AgentUseCases useCases, String address) {

    /** The sandbox account of a test key, which no other key shares. */
    public static UserId sandboxAccount(AgentKey key) {
        return new UserId(key.id().value());
    }
}
