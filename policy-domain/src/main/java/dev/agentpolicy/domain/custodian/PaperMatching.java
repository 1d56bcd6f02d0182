package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.custodian.OrderState.Cancelled;
import dev.agentpolicy.domain.custodian.OrderState.Filled;
import dev.agentpolicy.domain.custodian.OrderState.Open;
import dev.agentpolicy.domain.custodian.OrderState.PartiallyFilled;
import dev.agentpolicy.domain.custodian.OrderState.Rejected;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fills orders in the books of paper custodians. Pure functions from book to book. */
public final class PaperMatching {
    private static final int CENTS = 2;
    /** Of prices of crypto. */
    private static final BigDecimal FINEST_PRICE = BigDecimal.ONE.movePointLeft(HoldingsDocument.QUANTITY_DECIMALS);

    private PaperMatching() {}

    /**
     * The book with an order, filled as far as its market fills it. Unchanged when it has the order already.
     *
     * @throws IllegalArgumentException for an order without a bound
     */
    public static PaperBook place(PaperBook book, Order order, Instant now) {
        if (!order.isBounded()) {
            throw new IllegalArgumentException("An order must have a bound.");
        }
        if (book.orders().containsKey(order.clientOrderId())) {
            return book;
        }
        long revision = book.revision() + 1;
        Optional<String> problem = problem(book, order);
        OrderState state = problem.<OrderState>map(Rejected::new).orElseGet(Open::new);
        PaperBook placed = with(book, revision, new PaperOrder(order, state, List.of(), revision));
        return problem.isEmpty() ? filled(placed, order.clientOrderId(), now) : placed;
    }

    /** The book with an order cancelled. Unchanged when it has no such open order. */
    public static PaperBook cancel(PaperBook book, String clientOrderId) {
        PaperOrder order = book.orders().get(clientOrderId);
        if (order == null || order.state().isOver()) {
            return book;
        }
        long revision = book.revision() + 1;
        return with(book, revision, new PaperOrder(order.order(), new Cancelled(), order.fills(), revision));
    }

    /** The book after its open orders were filled as far as its market fills them. */
    public static PaperBook advance(PaperBook book, Instant now) {
        List<PaperOrder> open = book.orders().values().stream()
                .filter(order -> !order.state().isOver())
                .sorted(Comparator.comparingLong(PaperOrder::revision))
                .toList();
        PaperBook after = book;
        for (PaperOrder order : open) {
            after = filled(after, order.order().clientOrderId(), now);
        }
        return after;
    }

    /** The book with what the user says it holds. Orders stay. */
    public static PaperBook replace(PaperBook book, PaperSetup setup) {
        CustodianHoldings holdings = setup.holdings();
        return new PaperBook(
                book.custodian(),
                holdings.name(),
                book.revision() + 1,
                holdings.cash(),
                holdings.positions(),
                setup.prices(),
                setup.market(),
                book.orders());
    }

    /** What the book holds. */
    public static CustodianHoldings holdings(PaperBook book, Instant now) {
        return new CustodianHoldings(
                book.custodian(),
                book.name(),
                CustodianKind.PAPER,
                now,
                book.revision(),
                book.cash(),
                book.positions());
    }

    /** How an order stands. */
    public static OrderReport report(PaperOrder order) {
        BigDecimal quantity = order.fills().stream().map(Fill::quantity).reduce(BigDecimal.ZERO, BigDecimal::add);
        String id = order.order().clientOrderId();
        return new OrderReport(id, externalId(id), order.state(), quantity);
    }

    private static String externalId(String clientOrderId) {
        return "paper-" + clientOrderId;
    }

    /** Why a new order is rejected at once; empty when it is not. Orders of the book are not looked at. */
    public static Optional<String> problem(PaperBook book, Order order) {
        if (book.market().rejects().contains(order.symbol())) {
            return Optional.of(book.name() + " rejects orders for " + order.symbol() + ".");
        }
        Usd price = price(book, order).orElse(Usd.ZERO);
        if (price.isZero()) {
            return Optional.of(noPrice(order));
        }
        if (!order.allows(price)) {
            // It waits until the price comes back.
            return Optional.empty();
        }
        Part whole = Part.of(price, rest(order, List.of()));
        return whole.quantity.signum() == 0
                ? Optional.of("The order is for less of " + order.symbol() + " than can be traded.")
                : Optional.ofNullable(lack(book, order, whole));
    }

    private static String noPrice(Order order) {
        return "The paper custodian has no price for " + order.symbol() + "; give it one.";
    }

    /**
     * The list price of the asset of an order. Crypto has no coarser price step than prices have decimals.
     *
     * @throws CustodianFailure a refusal when there is none
     */
    public static ReferencePrice reference(PaperBook book, Order order, Instant now) {
        Usd price = price(book, order).orElse(Usd.ZERO);
        if (price.isZero()) {
            throw CustodianFailure.refused(noPrice(order));
        }
        return new ReferencePrice(price, now, order.assetType() == AssetType.CRYPTO ? FINEST_PRICE : null, null, null);
    }

    /** What the book lacks for a part of an order; null when it lacks nothing. */
    private static @Nullable String lack(PaperBook book, Order order, Part part) {
        if (order.action() == Action.BUY) {
            return part.amount.isAbove(book.cash())
                    ? book.name() + " has " + book.cash() + " USD in cash; the buy costs " + part.amount + " USD."
                    : null;
        }
        BigDecimal held = held(book, order).map(Position::quantity).orElse(BigDecimal.ZERO);
        return part.quantity.compareTo(held) > 0
                ? book.name() + " holds " + held.toPlainString() + " of " + order.symbol() + "; the sell is of "
                        + part.quantity.toPlainString() + "."
                : null;
    }

    private static PaperBook filled(PaperBook book, String clientOrderId, Instant now) {
        PaperOrder open = book.orders().get(clientOrderId);
        if (open == null) {
            return book;
        }
        Order order = open.order();
        Usd price = price(book, order).orElse(Usd.ZERO);
        boolean isOwnPrice = order.price() != null;
        if (price.isZero() || !order.allows(price) || !book.market().isOpen() && !isOwnPrice) {
            return book;
        }
        Rest rest = rest(order, open.fills());
        Fraction share = isOwnPrice ? Fraction.ONE : book.market().fillShare();
        boolean isWhole = share.equals(Fraction.ONE);
        if (!isWhole && !open.fills().isEmpty()) {
            return book;
        }
        Part part = Part.of(price, isWhole ? rest : rest.times(share));
        long revision = book.revision() + 1;
        if (part.quantity.signum() == 0) {
            // What is left is too small to be a quantity.
            return isWhole ? with(book, revision, new PaperOrder(order, new Filled(), open.fills(), revision)) : book;
        }
        String lack = lack(book, order, part);
        if (lack != null) {
            OrderState end = open.fills().isEmpty() ? new Rejected(lack) : new Cancelled();
            return with(book, revision, new PaperOrder(order, end, open.fills(), revision));
        }
        List<Fill> fills = new ArrayList<>(open.fills());
        fills.add(part.fill(book, order, fills.size() + 1, now));
        OrderState state = isWhole ? new Filled() : new PartiallyFilled();
        return moved(with(book, revision, new PaperOrder(order, state, fills, revision)), order, part);
    }

    /** What is not filled of an order: either an amount or a quantity. */
    private record Rest(@Nullable Usd amount, BigDecimal quantity) {

        Rest times(Fraction share) {
            return amount == null
                    ? new Rest(
                            null,
                            quantity.multiply(share.value())
                                    .setScale(HoldingsDocument.QUANTITY_DECIMALS, RoundingMode.DOWN))
                    : new Rest(
                            new Usd(amount.value().multiply(share.value()).setScale(CENTS, RoundingMode.DOWN)),
                            quantity);
        }
    }

    private static Rest rest(Order order, List<Fill> fills) {
        Usd amount = order.amount();
        BigDecimal quantity = order.quantity();
        if (amount != null) {
            Usd filled = fills.stream().map(Fill::amountUsd).reduce(Usd.ZERO, Usd::plus);
            return new Rest(amount.minus(filled).max(Usd.ZERO), BigDecimal.ZERO);
        }
        BigDecimal filled = fills.stream().map(Fill::quantity).reduce(BigDecimal.ZERO, BigDecimal::add);
        return new Rest(null, (quantity == null ? BigDecimal.ZERO : quantity).subtract(filled));
    }

    /**
     * A part of an order at a price. A quantity that goes on is cut, so that a sleeve traded to the edge of its band does
     * not leave it, and a sell of all that is held comes out exact.
     */
    private record Part(BigDecimal quantity, Usd price, Usd amount) {

        static Part of(Usd price, Rest rest) {
            Usd amount = rest.amount;
            BigDecimal quantity = Exact.normalised(
                    amount == null
                            ? rest.quantity
                            : amount.value()
                                    .divide(price.value(), HoldingsDocument.QUANTITY_DECIMALS, RoundingMode.DOWN));
            return new Part(quantity, price, amount == null ? new Usd(quantity.multiply(price.value())) : amount);
        }

        Fill fill(PaperBook book, Order order, int number, Instant now) {
            String id = externalId(order.clientOrderId());
            return new Fill(
                    book.custodian(),
                    number == 1 ? id : id + "-" + number,
                    order.clientOrderId(),
                    order.action(),
                    order.symbol(),
                    order.assetType(),
                    quantity,
                    price,
                    amount,
                    now);
        }
    }

    private static PaperBook moved(PaperBook book, Order order, Part part) {
        boolean isBuy = order.action() == Action.BUY;
        BigDecimal held = held(book, order).map(Position::quantity).orElse(BigDecimal.ZERO);
        BigDecimal quantity = isBuy ? held.add(part.quantity) : held.subtract(part.quantity);
        List<Position> positions = new ArrayList<>(book.positions());
        int place = held(book, order).map(positions::indexOf).orElse(-1);
        // What was held keeps its price, also in the list after its last unit was sold.
        Usd price = held.signum() == 0
                ? part.price
                : held(book, order).map(Position::price).orElse(part.price);
        Position after = new Position(order.symbol(), order.assetType(), quantity, price);
        Map<AssetSymbol, Usd> prices = new HashMap<>(book.prices());
        if (place < 0) {
            positions.add(after);
        } else if (quantity.signum() == 0) {
            positions.remove(place);
            prices.put(order.symbol(), price);
        } else {
            positions.set(place, after);
        }
        Usd cash = isBuy ? book.cash().minus(part.amount) : book.cash().plus(part.amount);
        return new PaperBook(
                book.custodian(), book.name(), book.revision(), cash, positions, prices, book.market(), book.orders());
    }

    private static Optional<Position> held(PaperBook book, Order order) {
        return book.positions().stream()
                .filter(position ->
                        position.symbol().equals(order.symbol()) && position.assetType() == order.assetType())
                .findFirst();
    }

    private static Optional<Usd> price(PaperBook book, Order order) {
        Usd agreed = order.price();
        return agreed != null
                ? Optional.of(agreed)
                : held(book, order)
                        .map(Position::price)
                        .or(() -> Optional.ofNullable(book.prices().get(order.symbol())));
    }

    private static PaperBook with(PaperBook book, long revision, PaperOrder order) {
        Map<String, PaperOrder> orders = new HashMap<>(book.orders());
        orders.put(order.order().clientOrderId(), order);
        return new PaperBook(
                book.custodian(),
                book.name(),
                revision,
                book.cash(),
                book.positions(),
                book.prices(),
                book.market(),
                orders);
    }
}
