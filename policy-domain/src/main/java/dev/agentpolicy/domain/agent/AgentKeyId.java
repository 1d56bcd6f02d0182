package dev.agentpolicy.domain.agent;

import java.util.UUID;

/** The id of an agent key; stays the same when the key is rotated. */
public record AgentKeyId(UUID value) {

    @Override
    public String toString() {
        return value.toString();
    }
}
