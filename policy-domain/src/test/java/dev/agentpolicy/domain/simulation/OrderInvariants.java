package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.ACCEPTED_TRADES_EXECUTE_ONCE;
import static dev.agentpolicy.domain.simulation.Invariant.ONLY_ACCEPTED_TRADES_EXECUTE;

import dev.agentpolicy.domain.request.Acceptance;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import java.util.HashMap;
import java.util.Map;

/** Checks the orders that the custodian executes. */
final class OrderInvariants {
    private final FirstViolation firstViolation;
    private final RequestInvariants requests;
    private final Map<Long, Integer> executions = new HashMap<>();

    OrderInvariants(RequestInvariants requests, FirstViolation firstViolation) {
        this.requests = requests;
        this.firstViolation = firstViolation;
    }

    /** Checks an order when the custodian executes it. */
    void executed(Order order) {
        String[] name = order.clientOrderId().split("-");
        if (!name[0].equals("request")) {
            return;
        }
        long id = Long.parseLong(name[1]);
        int times = executions.merge(id, 1, Integer::sum);
        firstViolation.require(times == 1, ACCEPTED_TRADES_EXECUTE_ONCE, "executed again", order);
        boolean isAccepted = requests.known(id) instanceof Pending pending
                && pending.isAccepted()
                && isOf(pending.acceptance(), name[2]);
        firstViolation.require(isAccepted, ONLY_ACCEPTED_TRADES_EXECUTE, "executed for", requests.known(id), order);
    }

    void committed(ObservedCommit commit) {
        for (ServiceRequest request : commit.outcome().requests()) {
            agrees(request);
        }
    }

    /** Checks that every acceptance was resolved, after all steps are done. */
    void end() {
        requests.all().forEach(request -> {
            agrees(request);
            boolean isOpen = request instanceof Pending pending && pending.isAccepted();
            firstViolation.require(!isOpen, ACCEPTED_TRADES_EXECUTE_ONCE, "never executed", request);
        });
    }

    private void agrees(ServiceRequest request) {
        boolean isExecuted = executions.containsKey(request.id());
        boolean mayBeUnderWay = request instanceof Pending pending && pending.isAccepted();
        boolean agrees = mayBeUnderWay || isExecuted == (request.status() == RequestStatus.COMPLETED);
        firstViolation.require(agrees, ACCEPTED_TRADES_EXECUTE_ONCE, "executed?", isExecuted, request);
    }

    private static boolean isOf(Acceptance acceptance, String attempt) {
        return acceptance.attempt() == Integer.parseInt(attempt);
    }
}
