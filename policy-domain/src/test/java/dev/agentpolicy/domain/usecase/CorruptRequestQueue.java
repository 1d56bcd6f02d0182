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
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A request queue in which some requests cannot be read.
 *
 * @param present the actual queue
 * @param spoilt which requests cannot be read
 * @param trouble the exception thrown for them
 */
public record CorruptRequestQueue(RequestQueue present, LongPredicate spoilt, RuntimeException trouble)
        implements RequestQueue {
    public static final IllegalStateException SPOILT = new IllegalStateException("A stored request cannot be read.");

    public CorruptRequestQueue(RequestQueue present, long id) {
        this(present, it -> it == id, SPOILT);
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        if (spoilt.test(id)) {
            throw trouble;
        }
        return present.find(user, id);
    }

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        return present.page(user, status, before, limit);
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        return present.findAll(user, ids);
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return present.expired(now, limit);
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return present.unconfirmed(acceptedBefore, limit);
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
