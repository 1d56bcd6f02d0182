package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads requests, pending and resolved. */
public interface RequestQueue {

    /** A user's requests, newest first: of one status or all, and with ids below {@code before} if it is given. */
    List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit);

    /** A request of this user; empty for a request of another user. */
    Optional<ServiceRequest> find(UserId user, long id);

    /** The requests with these ids that belong to this user, by id. */
    Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids);

    /** Requests of all users that are expired and still pending, oldest first. */
    List<RequestRef> expired(Instant now, int limit);

    /**
     * Accepted requests of all users whose orders a sweep looks at ({@link OrderAttempt#sweptFrom}) since before a time, oldest
     * first: those that no custodian has confirmed, accepted before it, and those open for too long at a paper custodian.
     */
    List<RequestRef> unconfirmed(Instant acceptedBefore, int limit);

    /**
     * A user's requests that were accepted at least once, newest first, with ids below {@code before} if it is given.
     */
    List<ServiceRequest> attested(UserId user, @Nullable Long before, int limit);

    /**
     * A user's requests that wait for an answer, and not for a custodian, newest first, with ids below {@code before} if it is
     * given. Expired ones are among them.
     */
    List<Pending> waiting(UserId user, @Nullable Long before, int limit);

    /** How many requests of a user wait for an answer, counted up to a limit. */
    int countWaiting(UserId user, int max);

    /** The id of a request and its user. */
    record RequestRef(UserId userId, long requestId) {}
}
