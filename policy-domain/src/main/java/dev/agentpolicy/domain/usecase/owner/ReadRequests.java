package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Status;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the attestation queue of a user (contract, section 6). */
public final class ReadRequests {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;

    private final RequestQueue requests;

    public ReadRequests(RequestQueue requests) {
        this.requests = requests;
    }

    /**
     * Some requests, newest first.
     *
     * @param requests at most as many as were asked for
     * @param next the id the next page goes on below, null when this page reached the end
     */
    public record RequestPage(
            List<ServiceRequest> requests, @Nullable Long next) {}

    /**
     * A page of requests.
     *
     * @param status only of this status, null for all
     * @param before only with ids below, null for the first page
     */
    public RequestPage page(UserId user, @Nullable Status status, @Nullable Long before, int limit) {
        List<ServiceRequest> found = requests.page(user, status, before, limit + 1);
        if (found.size() <= limit) {
            return new RequestPage(found, null);
        }
        List<ServiceRequest> page = found.subList(0, limit);
        return new RequestPage(page, page.get(limit - 1).id());
    }

    /** One request; empty for anybody else's. */
    public Optional<ServiceRequest> find(UserId user, long id) {
        return requests.find(user, id);
    }
}
