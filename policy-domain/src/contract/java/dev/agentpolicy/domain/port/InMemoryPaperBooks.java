package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Paper books in memory. */
public final class InMemoryPaperBooks implements PaperBooks {
    private final Map<List<Object>, CustodianHoldings> books = new HashMap<>();
    private final Map<List<Object>, OrderResult> orders = new HashMap<>();

    @Override
    public synchronized OrderResult settle(Order order, Function<Optional<CustodianHoldings>, OrderResult> settle) {
        List<Object> name = List.of(order.userId(), order.clientOrderId());
        OrderResult before = orders.get(name);
        if (before != null) {
            return before;
        }
        List<Object> book = List.of(order.userId(), order.custodian());
        OrderResult settlement = settle.apply(Optional.ofNullable(books.get(book)));
        orders.put(name, settlement);
        settlement.fold(filled -> books.put(book, filled.holdings()), refused -> null);
        return settlement;
    }

    /** The current content of a book. */
    public synchronized Optional<CustodianHoldings> book(UserId user, String custodian) {
        return Optional.ofNullable(books.get(List.of(user, custodian)));
    }

    @Override
    public synchronized CustodianHoldings replace(UserId user, CustodianHoldings holdings) {
        return books.compute(List.of(user, holdings.id()), (book, before) -> {
            long revision = before == null ? 1 : before.revision() + 1;
            return new CustodianHoldings(
                    holdings.id(),
                    holdings.name(),
                    holdings.kind(),
                    holdings.syncedAt(),
                    revision,
                    holdings.cash(),
                    holdings.positions());
        });
    }
}
