package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.RequestQueue.RequestRef;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * The result of one sweep over due requests. A request that cannot be read or changed does not stop the sweep; the next
 * sweep tries it again.
 *
 * @param examined number of due requests
 * @param failures the requests that could not be read or changed
 */
public record SweepResult(int examined, List<Failed> failures) {
    public SweepResult {
        failures = List.copyOf(failures);
    }

    /** A request that could not be read or changed, and the cause. */
    public record Failed(RequestRef request, Throwable cause) {}

    /**
     * Applies an action to each of the requests that still exist, several at a time. Blocks until all are done.
     *
     * @throws Unavailable when a request cannot be read because the store cannot be reached, since reading the others
     *     would fail too
     */
    public static SweepResult each(
            List<RequestRef> due, RequestQueue requests, FanOut threads, Consumer<ServiceRequest> action) {
        List<Failed> failures = Collections.synchronizedList(new ArrayList<>());
        threads.each(due, ref -> {
            ServiceRequest request;
            try {
                request = requests.find(ref.userId(), ref.requestId()).orElse(null);
            } catch (Unavailable away) {
                throw away;
            } catch (RuntimeException unreadable) {
                failures.add(new Failed(ref, unreadable));
                return;
            }
            try {
                if (request != null) {
                    action.accept(request);
                }
            } catch (RuntimeException failed) {
                failures.add(new Failed(ref, failed));
            }
        });
        return new SweepResult(due.size(), failures);
    }
}
