package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the attestation queue of a user (docs/reference/app-api.md). */
public final class ReadRequests {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;

    private final RequestQueue requests;

    public ReadRequests(RequestQueue requests) {
        this.requests = requests;
    }

    /**
     * A page of requests, newest first.
     *
     * @param requests at most as many as the limit
     * @param next the value of {@code before} for the next page; null when this is the last page
     */
    public record RequestPage(
            List<ServiceRequest> requests, @Nullable Long next) {}

    /**
     * Reads a page of requests.
     *
     * @param status only requests of this status; null for all
     * @param before only requests with ids below this one; null for the first page
     */
    public RequestPage page(UserId user, @Nullable RequestStatus status, @Nullable Long before, int limit) {
        List<ServiceRequest> found = requests.page(user, status, before, limit + 1);
        if (found.size() <= limit) {
            return new RequestPage(found, null);
        }
        List<ServiceRequest> page = found.subList(0, limit);
        return new RequestPage(page, page.get(limit - 1).id());
    }

    /** A request of the user; empty for a request of another user. */
    public Optional<ServiceRequest> find(UserId user, long id) {
        return requests.find(user, id);
    }
}
