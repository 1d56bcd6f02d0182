package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request queue that returns an outdated list of due requests.
 *
 * @param present the actual queue
 * @param then the outdated list
 */
public record StaleRequestQueue(RequestQueue present, List<RequestRef> then) implements RequestQueue {

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        return present.page(user, status, before, limit);
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        return present.find(user, id);
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        return present.findAll(user, ids);
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return then;
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return then;
    }

    @Override
    public List<ServiceRequest> attested(UserId user, @Nullable Long before, int limit) {
        return present.attested(user, before, limit);
    }

    @Override
    public List<Pending> waiting(UserId user, @Nullable Long before, int limit) {
        return present.waiting(user, before, limit);
    }

    @Override
    public int countWaiting(UserId user, int max) {
        return present.countWaiting(user, max);
    }
}
