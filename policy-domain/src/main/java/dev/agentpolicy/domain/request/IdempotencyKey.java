package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.agent.AgentKeyId;
import java.time.Duration;

/**
 * Names one intention of one agent, so that asking twice asks once (specification, Behaviour rule 5).
 *
 * @param agentKeyId whose intention; two keys never share one
 * @param value the caller's text, 1 to 128 characters
 */
public record IdempotencyKey(AgentKeyId agentKeyId, String value) {
    public static final int MAX_LENGTH = 128;
    public static final Duration WINDOW = Duration.ofHours(24);
}
