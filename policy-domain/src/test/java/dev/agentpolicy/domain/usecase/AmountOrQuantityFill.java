package dev.agentpolicy.domain.usecase;

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
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Fills orders by amount or by quantity; an asset that was never held costs 1 USD. */
public final class AmountOrQuantityFill {
    private static final int PLACES = 18;

    private AmountOrQuantityFill() {}

    public static OrderResult of(Order order, CustodianHoldings book, Instant now) {
        Position held = book.position(order.symbol(), order.assetType())
                .orElseGet(() -> new Position(order.symbol(), order.assetType(), BigDecimal.ZERO, Usd.of(1)));
        Usd price = order.price() == null ? held.price() : order.price();
        BigDecimal quantity = order.quantity() == null
                ? order.amount().value().divide(price.value(), PLACES, RoundingMode.DOWN)
                : order.quantity();
        Usd amount = order.amount() == null ? new Usd(quantity.multiply(price.value())) : order.amount();
        boolean isBuy = order.action() == Action.BUY;
        Usd cash = isBuy ? book.cash().minus(amount) : book.cash().plus(amount);
        BigDecimal left =
                isBuy ? held.quantity().add(quantity) : held.quantity().subtract(quantity);
        if (cash.isBelow(Usd.ZERO) || left.signum() < 0) {
            return new NotFilled("There is not enough.");
        }
        List<Position> positions = new ArrayList<>(book.positions());
        int place = positions.indexOf(held);
        Position after = new Position(held.symbol(), held.assetType(), left, price);
        if (place < 0) {
            positions.add(after);
        } else {
            positions.set(place, after);
        }
        positions.removeIf(position -> position.quantity().signum() == 0);
        return new Filled(
                new Execution(book.id(), "fill-of-" + order.clientOrderId(), quantity, price, amount, now),
                new CustodianHoldings(book.id(), book.name(), book.kind(), now, book.revision() + 1, cash, positions));
    }
}
