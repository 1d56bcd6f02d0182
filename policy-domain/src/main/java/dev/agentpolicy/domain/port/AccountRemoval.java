package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;

/** Removes users and what is stored about them. */
public interface AccountRemoval {

    /**
     * Removes a user with everything that is stored about them, keys and sessions too, in one transaction; durable when
     * this returns. The chain stays as it is, with the entries of {@link Erasures} about it, and so does the place where
     * it goes on. The address is free again. Removing again changes nothing.
     */
    void remove(UserId user);
}
