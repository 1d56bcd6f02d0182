package dev.agentpolicy.domain.port.signin;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores which browsers signed in to which account, by the hash of the token in the browser. */
public interface Devices {

    /**
     * Stores that a user signed in on a device just now. Of a user's devices only the most recently used are kept.
     *
     * @param max how many devices of the user are kept
     */
    void remember(String tokenHash, UserId user, Instant now, int max);

    /** Finds the user of a device that was used after the given moment. */
    Optional<UserId> find(String tokenHash, Instant usedAfter);

    /**
     * Forgets the devices of a user.
     *
     * @param except hash of the token of the one that stays known; null to forget all
     */
    void forget(UserId user, @Nullable String except);

    /** Removes devices last used at the given moment or before, and returns how many. */
    int removeUnused(Instant since);
}
