package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import java.time.Instant;
import java.util.Optional;

/** Keeps who is signed in, by the hash of what their browser holds. */
public interface Sessions {

    void open(String tokenHash, UserId user, Instant expiresAt);

    /** Whose session it is, unless it was closed or its time is over. */
    Optional<UserId> find(String tokenHash, Instant now);

    void close(String tokenHash);

    /** Forgets sessions whose time is over; answers how many. */
    int removeExpired(Instant now);
}
