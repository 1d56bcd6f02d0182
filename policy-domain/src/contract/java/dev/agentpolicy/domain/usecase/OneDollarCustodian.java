package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A custodian with one book per user and a price of one dollar for everything. Fills every order it can, each once. */
final class OneDollarCustodian implements Custodian {
    private final Map<UserId, CustodianHoldings> books = new HashMap<>();
    private final Map<String, OrderResult> settled = new HashMap<>();
    private final InstantSource clock;

    OneDollarCustodian(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<OrderResult> place(Order order) {
        return CompletableFuture.completedFuture(settled.computeIfAbsent(order.clientOrderId(), id -> settle(order)));
    }

    @Override
    public synchronized CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        CustodianHoldings before = books.get(user);
        return CompletableFuture.completedFuture(
                keep(user, holdings.cash(), holdings.positions(), before == null ? 1 : before.revision() + 1));
    }

    private OrderResult settle(Order order) {
        CustodianHoldings book = books.get(order.userId());
        Usd amount = order.amount();
        Usd moved = order.action() == Action.BUY ? amount : Usd.ZERO.minus(amount);
        Usd held = book.position(order.symbol(), order.assetType())
                .map(Position::marketValue)
                .orElse(Usd.ZERO);
        Usd cash = book.cash().minus(moved);
        if (cash.isBelow(Usd.ZERO) || held.plus(moved).isBelow(Usd.ZERO)) {
            return new OrderResult.NotFilled("There is not enough.");
        }
        List<Position> positions = new ArrayList<>(book.positions());
        book.position(order.symbol(), order.assetType()).ifPresent(positions::remove);
        positions.add(
                new Position(order.symbol(), order.assetType(), held.plus(moved).value(), Usd.of(1)));
        CustodianHoldings after = keep(order.userId(), cash, positions, book.revision() + 1);
        Execution execution = new Execution(
                order.custodian(),
                "fill-" + order.clientOrderId(),
                amount.value().max(BigDecimal.ZERO),
                Usd.of(1),
                amount,
                clock.instant());
        return new OrderResult.Filled(execution, after);
    }

    private CustodianHoldings keep(UserId user, Usd cash, List<Position> positions, long revision) {
        CustodianHoldings book = new CustodianHoldings(
                "paper", "Paper", CustodianHoldings.CustodianKind.PAPER, clock.instant(), revision, cash, positions);
        books.put(user, book);
        return book;
    }
}
