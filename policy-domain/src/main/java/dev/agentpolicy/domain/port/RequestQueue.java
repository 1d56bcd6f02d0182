package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the requests that wait for their users, or did. */
public interface RequestQueue {

    /** Newest first, of one status or all, with ids below {@code before} when given. */
    List<ServiceRequest> page(UserId user, @Nullable Status status, @Nullable Long before, int limit);

    /** A request of this user; empty for anybody else's. */
    Optional<ServiceRequest> find(UserId user, long id);

    /** Those of the ids that are this user's, by id. */
    Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids);

    /** Requests of any user that wait although their time is over, oldest first. */
    List<RequestRef> expired(Instant now, int limit);

    /** Requests of any user accepted before a moment and not yet filled, oldest first. */
    List<RequestRef> unfilled(Instant acceptedBefore, int limit);

    /** Which request of which user. */
    record RequestRef(UserId userId, long requestId) {}
}
