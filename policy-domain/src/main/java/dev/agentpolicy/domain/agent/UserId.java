package dev.agentpolicy.domain.agent;

import java.util.UUID;

/** The person whose money it is. */
public record UserId(UUID value) implements Comparable<UserId> {

    @Override
    public int compareTo(UserId other) {
        return value.toString().compareTo(other.value.toString());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
