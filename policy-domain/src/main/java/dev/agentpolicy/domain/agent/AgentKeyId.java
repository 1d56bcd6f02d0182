package dev.agentpolicy.domain.agent;

import java.util.UUID;

/** Names an agent key; stays the same when the key is rotated. */
public record AgentKeyId(UUID value) {

    @Override
    public String toString() {
        return value.toString();
    }
}
