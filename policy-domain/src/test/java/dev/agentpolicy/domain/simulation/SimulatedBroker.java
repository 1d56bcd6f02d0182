package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.usecase.AmountOrQuantityFill;
import java.util.function.Consumer;

/** The only custodian of the simulation. It never fails; only the connections to it do. */
final class SimulatedBroker {
    static final String ID = "broker";
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final Simulation simulation;
    private final Consumer<Order> executed;

    SimulatedBroker(Simulation simulation, Consumer<Order> executed) {
        this.simulation = simulation;
        this.executed = executed;
    }

    CustodianHoldings book(UserId user) {
        return books.book(user, ID).orElseThrow();
    }

    CustodianHoldings replace(UserId user, CustodianHoldings holdings) {
        return books.replace(user, holdings);
    }

    OrderResult settle(Order order) {
        return books.settle(order, book -> {
            if (simulation.happens(15)) {
                return new NotFilled("The market is closed.");
            }
            OrderResult settlement = AmountOrQuantityFill.of(order, book.orElseThrow(), simulation.clock.instant());
            if (settlement instanceof OrderResult.Filled) {
                executed.accept(order);
            }
            return settlement;
        });
    }
}
