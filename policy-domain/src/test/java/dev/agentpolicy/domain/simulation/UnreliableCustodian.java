package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One node's connection to the broker. Orders and results are delayed, lost or duplicated. */
final class UnreliableCustodian implements Custodian {
    private final Simulation simulation;
    private final SimulatedNode node;

    UnreliableCustodian(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
    }

    /** Thrown when it is not known whether an order was executed. */
    static final class CustodianFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        CustodianFailure(String message) {
            super(message);
        }
    }

    @Override
    public CompletionStage<OrderResult> place(Order order) {
        Order sent = simulation.mutant.in(order);
        CompletableFuture<OrderResult> answer = new CompletableFuture<>();
        if (simulation.happens(60)) {
            throw new CustodianFailure("Nobody listens.");
        }
        if (simulation.happens(40)) {
            node.later(() -> answer.completeExceptionally(new CustodianFailure("The order was lost.")));
            return answer;
        }
        simulation.scheduler.add(() -> arrived(sent, answer));
        if (simulation.happens(20)) {
            simulation.scheduler.addLate(() -> arrived(sent, answer));
        }
        return answer;
    }

    @Override
    public CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        return CompletableFuture.completedFuture(simulation.broker.replace(user, holdings));
    }

    /** Executes an order that arrived, even if its node has crashed since. */
    private void arrived(Order order, CompletableFuture<OrderResult> answer) {
        OrderResult settlement = simulation.broker.settle(order);
        if (simulation.happens(30)) {
            node.later(() -> answer.completeExceptionally(new CustodianFailure("The answer was lost.")));
        } else if (simulation.happens(12)) {
            node.late(() -> answer.complete(settlement));
        } else {
            node.later(() -> answer.complete(settlement));
        }
    }
}
