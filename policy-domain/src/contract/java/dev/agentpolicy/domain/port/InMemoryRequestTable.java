package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one user, with an index of the pending ones: few are pending while the resolved ones keep growing in
 * number.
 */
final class InMemoryRequestTable {
    private final Map<Long, ServiceRequest> all = new HashMap<>();
    private final Map<Long, Pending> pending = new TreeMap<>();

    void put(ServiceRequest request) {
        all.put(request.id(), request);
        if (request instanceof Pending waits) {
            pending.put(request.id(), waits);
        } else {
            pending.remove(request.id());
        }
    }

    @Nullable
    ServiceRequest get(long id) {
        return all.get(id);
    }

    void clear() {
        all.clear();
        pending.clear();
    }

    List<ServiceRequest> all() {
        return List.copyOf(all.values());
    }

    Collection<Pending> pending() {
        return pending.values();
    }
}
