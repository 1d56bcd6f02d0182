package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;

/** Stores the sessions of users, by the hash of the token in their browser. */
public interface Sessions {

    /**
     * A stored session.
     *
     * @param userId whose session it is
     * @param lastUsedAt the last recorded use
     * @param expiresAt when it ends, even if it is used
     */
    record StoredSession(UserId userId, Instant lastUsedAt, Instant expiresAt) {}

    /** Stores a new session. */
    void open(String tokenHash, StoredSession session);

    /** Finds a session; also one that has ended and was not yet removed. */
    Optional<StoredSession> find(String tokenHash);

    /** Records the latest use of a session; an earlier use than the recorded one changes nothing. */
    void use(String tokenHash, Instant at);

    /** Ends a session; one that does not exist is ignored. */
    void close(String tokenHash);

    /**
     * Removes sessions that expired or were not used any more.
     *
     * @param now sessions that expire at this moment or before are removed
     * @param unusedSince sessions last used at this moment or before are removed
     * @return how many were removed
     */
    int removeEnded(Instant now, Instant unusedSince);
}
