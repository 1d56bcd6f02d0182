package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.Settlement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One node's line to the broker: orders and answers travel, get lost, come late or come twice. */
final class Line implements Custodian {
    private final Town town;
    private final Node node;

    Line(Town town, Node node) {
        this.town = town;
        this.node = node;
    }

    /** It is not known whether an order was executed. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1;

        Broken(String message) {
            super(message);
        }
    }

    @Override
    public CompletionStage<Settlement> place(Order order) {
        Order sent = town.flaw.in(order);
        CompletableFuture<Settlement> answer = new CompletableFuture<>();
        if (town.happens(60)) {
            throw new Broken("Nobody listens.");
        }
        if (town.happens(40)) {
            node.later(() -> answer.completeExceptionally(new Broken("The order was lost.")));
            return answer;
        }
        town.agenda.add(() -> arrived(sent, answer));
        if (town.happens(20)) {
            town.agenda.addLate(() -> arrived(sent, answer));
        }
        return answer;
    }

    @Override
    public CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        return CompletableFuture.completedFuture(town.broker.replace(user, holdings));
    }

    /** What has arrived is executed even if the node that sent it is gone. */
    private void arrived(Order order, CompletableFuture<Settlement> answer) {
        Settlement settlement = town.broker.settle(order);
        if (town.happens(30)) {
            node.later(() -> answer.completeExceptionally(new Broken("The answer was lost.")));
        } else if (town.happens(12)) {
            node.late(() -> answer.complete(settlement));
        } else {
            node.later(() -> answer.complete(settlement));
        }
    }
}
