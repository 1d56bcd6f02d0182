package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A queue that names requests to a sweep as they were a moment ago: since then others may have moved them.
 *
 * @param present the requests as they are now
 * @param then the requests that waited
 */
public record StaleRequestQueue(RequestQueue present, List<RequestRef> then) implements RequestQueue {

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable Status status, @Nullable Long before, int limit) {
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
    public List<RequestRef> unfilled(Instant acceptedBefore, int limit) {
        return then;
    }
}
