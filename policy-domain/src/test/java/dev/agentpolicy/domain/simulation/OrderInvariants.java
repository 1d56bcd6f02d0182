package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.ACCEPTED_TRADES_EXECUTE_ONCE;
import static dev.agentpolicy.domain.simulation.Invariant.ONE_ORDER_PER_ACCEPTANCE;
import static dev.agentpolicy.domain.simulation.Invariant.ONLY_ACCEPTED_TRADES_EXECUTE;
import static dev.agentpolicy.domain.simulation.Invariant.ORDERS_UNDER_WAY_ARE_AT_THE_CUSTODIAN;

import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Checks the orders that custodians take and fill. */
final class OrderInvariants {
    private final FirstViolation firstViolation;
    private final RequestInvariants requests;
    private final Function<Order, OrderReport> books;
    private final Map<Long, List<Order>> placed = new HashMap<>();
    private final Map<String, Long> requestOf = new HashMap<>();
    private final Set<String> acceptances = new HashSet<>();

    /** @param books how an order stands at its custodian */
    OrderInvariants(RequestInvariants requests, Function<Order, OrderReport> books, FirstViolation firstViolation) {
        this.requests = requests;
        this.books = books;
        this.firstViolation = firstViolation;
    }

    /** Checks an order of the service when a custodian takes it for the first time. */
    void placed(Order order) {
        String[] name = order.clientOrderId().split("-");
        if (!name[0].equals("request")) {
            return;
        }
        long id = Long.parseLong(name[1]);
        boolean isFirst = acceptances.add(name[1] + "-" + name[2]);
        firstViolation.require(isFirst, ONE_ORDER_PER_ACCEPTANCE, "a second order", order);
        placed.computeIfAbsent(id, it -> new ArrayList<>()).add(order);
        requestOf.put(order.clientOrderId(), id);
        underWay(id, order);
    }

    /** Checks an order when something of it is filled. */
    void filled(Order order) {
        Long id = requestOf.get(order.clientOrderId());
        if (id != null) {
            underWay(id, order);
        }
    }

    /** The request of an order that was placed for one; null for any other. */
    Long requestOf(String clientOrderId) {
        return requestOf.get(clientOrderId);
    }

    private void underWay(long id, Order order) {
        boolean isUnderWay =
                requests.known(id) instanceof Pending pending && pending.isAccepted() && isOf(order, pending.order());
        firstViolation.require(isUnderWay, ONLY_ACCEPTED_TRADES_EXECUTE, "executed for", requests.known(id), order);
    }

    /** Whether an order is of an attempt. Its id may go on, so that a second order of one attempt is found as such. */
    private static boolean isOf(Order order, OrderAttempt attempt) {
        return order.clientOrderId().startsWith(attempt.clientOrderId());
    }

    void committed(ObservedCommit commit) {
        commit.outcome().requests().forEach(this::agrees);
    }

    /** Checks that every order under way is at its custodian, after all steps are done. */
    void quiet() {
        requests.all().forEach(request -> {
            agrees(request);
            if (request instanceof Pending pending && pending.isAccepted()) {
                OrderReport report = books.apply(pending.order().order(pending.proposal()));
                firstViolation.require(
                        report != null && !report.state().isOver(),
                        ORDERS_UNDER_WAY_ARE_AT_THE_CUSTODIAN,
                        "it has",
                        report,
                        request);
            }
        });
    }

    /** Checks that no order is under way, after custodians have finished all orders. */
    void end() {
        requests.all().forEach(request -> {
            agrees(request);
            boolean isOpen = request instanceof Pending pending && pending.isAccepted();
            firstViolation.require(!isOpen, ACCEPTED_TRADES_EXECUTE_ONCE, "never ended", request);
        });
    }

    /** All orders but the one under way are over, and only that of a completed request was filled. */
    private void agrees(ServiceRequest request) {
        OrderAttempt attempt = request.fold(Pending::order, Completed::order, no -> null);
        boolean isCompleted = request instanceof Completed;
        for (Order order : placed.getOrDefault(request.id(), List.of())) {
            OrderReport report = books.apply(order);
            boolean isCurrent = attempt != null && isOf(order, attempt);
            boolean isFilled = report.filledQuantity().signum() > 0;
            boolean agrees = isCurrent
                    ? !isCompleted || report.state().isOver() && isFilled
                    : report.state().isOver() && !isFilled;
            firstViolation.require(agrees, ACCEPTED_TRADES_EXECUTE_ONCE, "the custodian has", report, request);
        }
        boolean isPlaced = !isCompleted || acceptances.contains(request.id() + "-" + attempt.number());
        firstViolation.require(isPlaced, ACCEPTED_TRADES_EXECUTE_ONCE, "no order for", request);
    }
}
