package dev.agentpolicy.domain.usecase.agent;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.UserId;

/**
 * An agent that was let in.
 *
 * @param key by which it came
 * @param account whose account it acts on: its user's, or the sandbox account of the key
 * @param useCases those that serve it: on the users' accounts, or in the sandbox
 */
public record Caller(AgentKey key, UserId account, AgentUseCases useCases) {}
