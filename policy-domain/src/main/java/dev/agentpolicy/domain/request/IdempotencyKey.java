package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import java.time.Duration;

/**
 * Identifies a proposal, so that sending it twice makes one request (specification, Behaviour rule 5).
 *
 * @param agentKeyId the agent key that proposes; each agent key has idempotency keys of its own
 * @param value the text chosen by the caller, 1 to 128 characters
 */
public record IdempotencyKey(AgentKeyId agentKeyId, String value) {
    public static final int MAX_LENGTH = 128;
    public static final Duration WINDOW = Duration.ofHours(24);
}
