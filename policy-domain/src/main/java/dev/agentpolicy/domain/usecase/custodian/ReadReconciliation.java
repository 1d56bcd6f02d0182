package dev.agentpolicy.domain.usecase.custodian;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.port.FillLog;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares what was attested with what custodians did. Methods block on queries. */
public final class ReadReconciliation {
    public static final int DEFAULT_LIMIT = 25;
    public static final int MAX_LIMIT = 100;
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

        /** How much worse than the reference of its order a fill was; null when its order had no bound or is not the last. */
        public @Nullable Fraction slippage(Fill fill) {
            PriceBound bound =
                    order == null || !order.clientOrderId().equals(fill.clientOrderId()) ? null : order.bound();
            return bound == null ? null : bound.slippage(fill.action(), fill.price());
        }

        /** What was filled less what was allowed: negative for a part, above 0 when more was filled than allowed. */
        public Usd deviation() {
            return filled().minus(allowed());
        }
    }

    /**
     * A page of the comparison.
     *
     * @param requests attested requests, newest first
     * @param unattested the newest fills that no request explains, newest first; the same on every page
     * @param next the value of {@code before} for the next page; null when this is the last page
     */
    public record Reconciliation(
            List<ReconciledRequest> requests,
            List<Fill> unattested,
            @Nullable Long next) {
        public Reconciliation {
            requests = List.copyOf(requests);
            unattested = List.copyOf(unattested);
        }
    }

    /**
     * Reads a page, with at most 200 fills that no request explains.
     *
     * @param before only requests with ids below this one; null for the first page
     */
    public Reconciliation read(UserId user, @Nullable Long before, int limit) {
        List<ServiceRequest> found = requests.attested(user, before, limit + 1);
        List<ServiceRequest> page = found.size() <= limit ? found : found.subList(0, limit);
        List<RecordedFill> recorded =
                fills.ofRequests(user, page.stream().map(ServiceRequest::id).toList());
        List<ReconciledRequest> reconciled = new ArrayList<>();
        for (ServiceRequest request : page) {
            List<Fill> own = recorded.stream()
                    .filter(fill -> Objects.equals(fill.requestId(), request.id()))
                    .map(RecordedFill::fill)
                    .toList();
            reconciled.add(new ReconciledRequest(request, request.lastOrder(), own));
        }
        List<Fill> unattested = fills.withoutRequest(user, MAX_UNATTESTED).stream()
                .map(RecordedFill::fill)
                .toList();
        return new Reconciliation(
                reconciled,
                unattested,
                found.size() <= limit ? null : page.get(limit - 1).id());
    }
}
