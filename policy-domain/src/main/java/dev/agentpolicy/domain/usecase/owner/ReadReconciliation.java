package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what was attested with what custodians did. Methods block on queries. */
public final class ReadReconciliation {
    private static final int MAX_UNATTESTED = 200;

    private final RequestQueue requests;
    private final FillLog fills;

    public ReadReconciliation(RequestQueue requests, FillLog fills) {
        this.requests = requests;
        this.fills = fills;
    }

    /**
     * One attested request.
     *
     * @param request as it is now
     * @param order its last order; null when there is none
     * @param fills all recorded fills of the request, of earlier orders too
     */
    public record ReconciledRequest(
            ServiceRequest request, @Nullable OrderAttempt order, List<Fill> fills) {
        public ReconciledRequest {
            fills = List.copyOf(fills);
        }

        /** What was allowed. */
        public Usd allowed() {
            return request.proposal().trade().amount();
        }

        public Usd filled() {
            return fills.stream().map(Fill::amountUsd).reduce(Usd.ZERO, Usd::plus);
        }

        /** What was filled less what was allowed: negative for a part, above 0 when more was filled than allowed. */
        public Usd deviation() {
            return filled().minus(allowed());
        }
    }

    /**
     * The comparison.
     *
     * @param requests the attested requests, newest first
     * @param unattested the newest fills that no request explains, newest first
     */
    public record Reconciliation(List<ReconciledRequest> requests, List<Fill> unattested) {
        public Reconciliation {
            requests = List.copyOf(requests);
            unattested = List.copyOf(unattested);
        }
    }

    /** Attested requests with ids below {@code before} if it is given, and at most 200 fills that no request explains. */
    public Reconciliation read(UserId user, @Nullable Long before, int limit) {
        List<ServiceRequest> page = requests.attested(user, before, limit);
        List<RecordedFill> recorded =
                fills.ofRequests(user, page.stream().map(ServiceRequest::id).toList());
        List<ReconciledRequest> reconciled = new ArrayList<>();
        for (ServiceRequest request : page) {
            List<Fill> own = recorded.stream()
                    .filter(fill -> Objects.equals(fill.requestId(), request.id()))
                    .map(RecordedFill::fill)
                    .toList();
            OrderAttempt order = request.<@Nullable OrderAttempt>fold(Pending::order, done -> done.order(), no -> null);
            reconciled.add(new ReconciledRequest(request, order, own));
        }
        List<Fill> unattested = fills.withoutRequest(user, MAX_UNATTESTED).stream()
                .map(RecordedFill::fill)
                .toList();
        return new Reconciliation(reconciled, unattested);
    }
}
