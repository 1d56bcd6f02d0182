package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads the requests that wait for the answer of a user, in pages. */
public final class WaitingRequests {
    private static final int REQUESTS_PER_QUERY = 500;

    private WaitingRequests() {}

    /** The requests oldest first, expired ones included; the newest of them if there are more than {@code max}. */
    public static List<Pending> of(RequestQueue queue, UserId user, int max) {
        List<Pending> found = new ArrayList<>();
        Long before = null;
        int limit;
        List<Pending> page;
        do {
            limit = Math.min(REQUESTS_PER_QUERY, max - found.size());
            page = queue.waiting(user, before, limit);
            for (Pending request : page) {
                found.add(request);
                before = request.id();
            }
        } while (page.size() == limit && found.size() < max);
        Collections.reverse(found);
        return found;
    }
}
