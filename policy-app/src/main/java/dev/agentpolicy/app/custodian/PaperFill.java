package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Exact;
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
import java.util.Optional;

/**
 * Fills an order of a paper custodian: at the price it has for the asset, at once, completely or not at all. An asset it
 * never held costs 1 USD a unit, as there is no market to ask.
 */
final class PaperFill {
    private static final Usd PRICE_OF_SOMETHING_NEW = Usd.of(1);

    private PaperFill() {}

    static OrderResult of(Order order, Optional<CustodianHoldings> book, Instant now) {
        if (book.isEmpty()) {
            return new NotFilled("There is no custodian " + order.custodian() + ".");
        }
        CustodianHoldings holdings = book.get();
        Optional<Position> held = holdings.position(order.symbol(), order.assetType());
        Usd price = price(order, held);
        if (price.isZero()) {
            return new NotFilled(holdings.name() + " has no price for " + order.symbol() + ".");
        }
        BigDecimal quantity = Exact.normalised(quantity(order, price));
        if (quantity.signum() == 0) {
            return new NotFilled("The order is for less of " + order.symbol() + " than can be traded.");
        }
        Usd amount = amount(order, quantity, price);
        return order.action() == Action.BUY
                ? buy(order, holdings, held, new Moved(quantity, price, amount, now))
                : sell(order, holdings, held, new Moved(quantity, price, amount, now));
    }

    private record Moved(BigDecimal quantity, Usd price, Usd amount, Instant at) {}

    private static OrderResult buy(Order order, CustodianHoldings holdings, Optional<Position> held, Moved moved) {
        if (moved.amount().isAbove(holdings.cash())) {
            return new NotFilled(holdings.name() + " has " + holdings.cash() + " USD in cash; the buy costs "
                    + moved.amount() + " USD.");
        }
        BigDecimal after = held.map(Position::quantity).orElse(BigDecimal.ZERO).add(moved.quantity());
        return filled(order, holdings, after, holdings.cash().minus(moved.amount()), moved);
    }

    private static OrderResult sell(Order order, CustodianHoldings holdings, Optional<Position> held, Moved moved) {
        BigDecimal before = held.map(Position::quantity).orElse(BigDecimal.ZERO);
        if (moved.quantity().compareTo(before) > 0) {
            return new NotFilled(holdings.name() + " holds " + before.toPlainString() + " of " + order.symbol()
                    + "; the sell is of " + moved.quantity().toPlainString() + ".");
        }
        return filled(
                order,
                holdings,
                before.subtract(moved.quantity()),
                holdings.cash().plus(moved.amount()),
                moved);
    }

    private static Filled filled(
            Order order, CustodianHoldings holdings, BigDecimal quantityAfter, Usd cashAfter, Moved moved) {
        CustodianHoldings after = new CustodianHoldings(
                holdings.id(),
                holdings.name(),
                holdings.kind(),
                moved.at(),
                holdings.revision() + 1,
                cashAfter,
                positions(order, holdings, quantityAfter, moved.price()));
        Execution execution = new Execution(
                holdings.id(),
                "paper-" + order.clientOrderId(),
                moved.quantity(),
                moved.price(),
                moved.amount(),
                moved.at());
        return new Filled(execution, after);
    }

    private static List<Position> positions(
            Order order, CustodianHoldings holdings, BigDecimal quantityAfter, Usd price) {
        Position after = new Position(order.symbol(), order.assetType(), quantityAfter, price);
        List<Position> positions = new ArrayList<>(holdings.positions());
        int place = holdings.position(order.symbol(), order.assetType())
                .map(positions::indexOf)
                .orElse(-1);
        if (place < 0) {
            positions.add(after);
        } else if (quantityAfter.signum() == 0) {
            positions.remove(place);
        } else {
            positions.set(place, after);
        }
        return positions;
    }

    private static Usd price(Order order, Optional<Position> held) {
        Usd agreed = order.price();
        return agreed != null ? agreed : held.map(Position::price).orElse(PRICE_OF_SOMETHING_NEW);
    }

    /**
     * Units for an amount, cut where no quantity goes on: a sleeve traded to the edge of its band does
     * not leave it, and a sell of all that is held comes out exact.
     */
    private static BigDecimal quantity(Order order, Usd price) {
        Usd amount = order.amount();
        BigDecimal quantity = order.quantity();
        return amount != null
                ? amount.value().divide(price.value(), HoldingsDocument.QUANTITY_DECIMALS, RoundingMode.DOWN)
                : quantity != null ? quantity : BigDecimal.ZERO;
    }

    private static Usd amount(Order order, BigDecimal quantity, Usd price) {
        Usd amount = order.amount();
        return amount != null ? amount : new Usd(quantity.multiply(price.value()));
    }
}
