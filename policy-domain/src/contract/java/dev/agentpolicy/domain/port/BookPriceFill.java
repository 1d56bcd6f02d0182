package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Fills orders by quantity at the price of the book, completely or not at all, and counts its calls. */
final class BookPriceFill {
    private static final Instant AT = Instant.parse("2026-11-16T09:30:00.123456Z");
    private final AtomicInteger asked = new AtomicInteger();

    int timesAsked() {
        return asked.get();
    }

    Function<Optional<CustodianHoldings>, OrderResult> of(Order order) {
        return book -> {
            asked.incrementAndGet();
            return book.map(holdings -> of(order, holdings))
                    .orElseGet(() -> new NotFilled("There is no custodian " + order.custodian() + "."));
        };
    }

    private static OrderResult of(Order order, CustodianHoldings book) {
        Position held = book.position(order.symbol(), order.assetType()).orElseThrow();
        BigDecimal quantity = Objects.requireNonNull(order.quantity());
        BigDecimal moved = order.action() == Action.BUY ? quantity : quantity.negate();
        Usd price = held.price();
        Usd cash = new Usd(book.cash().value().subtract(moved.multiply(price.value())));
        Position after =
                new Position(held.symbol(), held.assetType(), held.quantity().add(moved), price);
        if (cash.value().signum() < 0 || after.quantity().signum() < 0) {
            return new NotFilled("There is not enough.");
        }
        List<Position> positions = book.positions().stream()
                .map(position -> position.equals(held) ? after : position)
                .toList();
        Usd amount = new Usd(quantity.multiply(price.value()));
        return new Filled(
                new Execution(book.id(), "test-" + order.clientOrderId(), quantity, price, amount, AT),
                new CustodianHoldings(book.id(), book.name(), book.kind(), AT, book.revision() + 1, cash, positions));
    }
}
