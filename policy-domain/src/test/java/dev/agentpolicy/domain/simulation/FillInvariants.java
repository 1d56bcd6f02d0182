package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.COMPLETED_REQUESTS_HAVE_THEIR_FILLS;
import static dev.agentpolicy.domain.simulation.Invariant.FILLS_ARE_IN_THE_CHAIN_ONCE;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.RecordedFill;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks that the chain has every fill of the custodians once, and that completed requests have theirs. */
final class FillInvariants {
    private final Simulation simulation;
    private final OrderInvariants orders;
    private final FirstViolation firstViolation;
    private final Set<List<Object>> inChain = new HashSet<>();
    private final Map<String, BigDecimal> quantities = new HashMap<>();

    FillInvariants(Simulation simulation, OrderInvariants orders, FirstViolation firstViolation) {
        this.simulation = simulation;
        this.orders = orders;
        this.firstViolation = firstViolation;
    }

    long count() {
        return inChain.size();
    }

    void committed(ObservedCommit commit) {
        for (PolicyEvent row : commit.rows()) {
            if (row.kind() == EventKind.TRADE_OBSERVED) {
                observed(commit.user(), row);
            }
        }
        for (RecordedFill recorded : commit.outcome().fills()) {
            Fill fill = recorded.fill();
            Fill made = simulation.fill(commit.user(), fill.custodian(), fill.id());
            Long request = made == null ? null : orders.requestOf(made.clientOrderId());
            firstViolation.require(
                    fill.equals(made) && Objects.equals(request, recorded.requestId()),
                    FILLS_ARE_IN_THE_CHAIN_ONCE,
                    "the custodian has",
                    made,
                    recorded);
            quantities.merge(fill.clientOrderId(), fill.quantity(), BigDecimal::add);
        }
        for (ServiceRequest request : commit.outcome().requests()) {
            if (request instanceof Completed completed) {
                completed(completed);
            }
        }
    }

    private void observed(UserId user, PolicyEvent row) {
        boolean isNew = inChain.add(List.of(user, text(row, "custodian"), text(row, "externalId")));
        firstViolation.require(isNew, FILLS_ARE_IN_THE_CHAIN_ONCE, "again", row);
    }

    private void completed(Completed completed) {
        OrderAttempt order = completed.order();
        OrderReport report = simulation.order(order.order(completed.proposal()));
        BigDecimal recorded = quantities.getOrDefault(order.clientOrderId(), BigDecimal.ZERO);
        boolean isWhole = report != null
                && report.state().isOver()
                && recorded.compareTo(report.filledQuantity()) == 0
                && order.quantity().compareTo(recorded) == 0;
        firstViolation.require(isWhole, COMPLETED_REQUESTS_HAVE_THEIR_FILLS, "recorded", recorded, report, completed);
    }

    /** Checks that no fill since the connection was made is missing, once everything has been synced. */
    void end(UserId user, CustodianConnection connection) {
        for (Fill fill : simulation.broker.account(user).fills()) {
            boolean isThere = fill.executedAt().isBefore(connection.connectedAt())
                    || inChain.contains(List.of(user, fill.custodian(), fill.id()));
            firstViolation.require(isThere, FILLS_ARE_IN_THE_CHAIN_ONCE, "never recorded", fill, connection);
        }
    }

    private static String text(PolicyEvent row, String member) {
        String name = "\"" + member + "\":\"";
        int from = row.payload().indexOf(name) + name.length();
        return row.payload().substring(from, row.payload().indexOf('"', from));
    }
}
