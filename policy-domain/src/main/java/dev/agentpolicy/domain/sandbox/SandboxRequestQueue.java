package dev.agentpolicy.domain.sandbox;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the requests of a test key; nobody attests them, and they are forgotten rather than expired. */
final class SandboxRequestQueue implements RequestQueue {
    private final Sandbox sandbox;

    SandboxRequestQueue(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    @Override
    public List<ServiceRequest> page(UserId user, @Nullable Status status, @Nullable Long before, int limit) {
        return sandbox.account(user).requests().values().stream()
                .filter(request -> status == null || request.status() == status)
                .filter(request -> before == null || request.id() > before)
                .sorted(Comparator.comparing(ServiceRequest::id))
                .limit(limit)
                .toList();
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        return Optional.ofNullable(sandbox.account(user).requests().get(id));
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        return sandbox.account(user).requests().entrySet().stream()
                .filter(entry -> ids.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return List.of();
    }

    @Override
    public List<RequestRef> unfilled(Instant acceptedBefore, int limit) {
        return List.of();
    }
}
