package dev.agentpolicy.domain.agent;

import java.util.UUID;

/** The id of a user, and of the user's account and chain. */
public record UserId(UUID value) implements Comparable<UserId> {

    /**
     * The id with a UUID as its text.
     *
     * @throws IllegalArgumentException when the text is no UUID
     */
    public static UserId of(String uuid) {
        return new UserId(UUID.fromString(uuid));
    }

    /** Orders ids as their texts are ordered; {@link UUID#compareTo} does not. */
    @Override
    public int compareTo(UserId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
