package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A custodian that fills every order at its price, except for one symbol, and changes no holdings. */
public final class FillingCustodian implements Custodian {
    public static final String NOT_TRADED = "NONE";

    private final Map<String, CustodianHoldings> books = new HashMap<>();
    private final InstantSource clock;

    FillingCustodian(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<OrderResult> place(Order order) {
        CustodianHoldings book = books.get(order.userId() + " " + order.custodian());
        if (book == null || order.symbol().value().equals(NOT_TRADED)) {
            return CompletableFuture.completedFuture(new OrderResult.NotFilled("This is not traded here."));
        }
        Usd price = order.price() == null ? Usd.of(1) : order.price();
        BigDecimal quantity = order.quantity() == null ? order.amount().value() : order.quantity();
        Usd amount = new Usd(quantity.multiply(price.value()));
        Execution execution = new Execution(book.id(), order.clientOrderId(), quantity, price, amount, clock.instant());
        return CompletableFuture.completedFuture(new OrderResult.Filled(execution, book));
    }

    @Override
    public synchronized CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        CustodianHoldings before = books.get(user + " " + holdings.id());
        CustodianHoldings book = new CustodianHoldings(
                holdings.id(),
                holdings.name(),
                holdings.kind(),
                holdings.syncedAt(),
                before == null ? 1 : before.revision() + 1,
                holdings.cash(),
                holdings.positions());
        books.put(user + " " + holdings.id(), book);
        return CompletableFuture.completedFuture(book);
    }
}
