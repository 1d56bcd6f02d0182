package dev.agentpolicy.domain.simulation;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.Settlement;
import dev.agentpolicy.domain.request.Settlement.Refused;
import dev.agentpolicy.domain.usecase.PlainFill;
import java.util.function.Consumer;

/** The one custodian of the town, which never fails: only the lines to it do. */
final class Broker {
    static final String ID = "broker";
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final Town town;
    private final Consumer<Order> executed;

    Broker(Town town, Consumer<Order> executed) {
        this.town = town;
        this.executed = executed;
    }

    CustodianHoldings book(UserId user) {
        return books.book(user, ID).orElseThrow();
    }

    CustodianHoldings replace(UserId user, CustodianHoldings holdings) {
        return books.replace(user, holdings);
    }

    Settlement settle(Order order) {
        return books.settle(order, book -> {
            if (town.happens(15)) {
                return new Refused("The market is closed.");
            }
            Settlement settlement = PlainFill.of(order, book.orElseThrow(), town.clock.instant());
            if (settlement instanceof Settlement.Filled) {
                executed.accept(order);
            }
            return settlement;
        });
    }
}
