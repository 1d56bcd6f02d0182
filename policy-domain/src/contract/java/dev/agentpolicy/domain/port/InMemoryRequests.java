package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads the requests of an {@link InMemoryStore}. */
record InMemoryRequests(InMemoryStore store) implements RequestQueue {

    @Override
    public List<ServiceRequest> page(UserId user, RequestStatus status, Long before, int limit) {
        return store.account(user).requests().stream()
                .filter(request -> status == null || request.status() == status)
                .filter(request -> before == null || request.id() < before)
                .sorted(Comparator.comparingLong(ServiceRequest::id).reversed())
                .limit(limit)
                .toList();
    }

    @Override
    public List<Pending> waiting(UserId user, Long before, int limit) {
        return page(user, RequestStatus.PENDING, before, Integer.MAX_VALUE).stream()
                .flatMap(request ->
                        request.<Stream<Pending>>fold(Stream::of, done -> Stream.empty(), no -> Stream.empty()))
                .filter(pending -> !pending.isAccepted())
                .limit(limit)
                .toList();
    }

    @Override
    public int countWaiting(UserId user, int max) {
        return waiting(user, null, max).size();
    }

    @Override
    public Optional<ServiceRequest> find(UserId user, long id) {
        return store.account(user).request(id);
    }

    @Override
    public Map<Long, ServiceRequest> findAll(UserId user, Collection<Long> ids) {
        Map<Long, ServiceRequest> found = new TreeMap<>();
        ids.forEach(id -> find(user, id).ifPresent(request -> found.put(id, request)));
        return found;
    }

    @Override
    public List<RequestRef> expired(Instant now, int limit) {
        return waiting(pending()
                .filter(request ->
                        !request.isAccepted() && !request.proposal().expiresAt().isAfter(now))
                .sorted(Comparator.comparing(request -> request.proposal().expiresAt()))
                .limit(limit));
    }

    @Override
    public List<RequestRef> unconfirmed(Instant acceptedBefore, int limit) {
        return waiting(pending()
                .filter(request -> request.isAccepted()
                        && request.order().sweptFrom() != null
                        && request.order().sweptFrom().isBefore(acceptedBefore))
                .sorted(Comparator.comparing(request -> request.order().sweptFrom()))
                .limit(limit));
    }

    @Override
    public List<ServiceRequest> attested(UserId user, Long before, int limit) {
        return page(user, null, before, Integer.MAX_VALUE).stream()
                .filter(request ->
                        request.fold(pending -> pending.attempts() > 0, done -> true, no -> no.attempts() > 0))
                .limit(limit)
                .toList();
    }

    private Stream<Pending> pending() {
        return store.all().stream().flatMap(account -> account.pending().stream());
    }

    private static List<RequestRef> waiting(Stream<Pending> requests) {
        return requests.map(request -> new RequestRef(request.proposal().userId(), request.id()))
                .toList();
    }
}
