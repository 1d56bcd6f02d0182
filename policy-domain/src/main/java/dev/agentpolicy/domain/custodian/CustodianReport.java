package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.PlainText;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of an account at a custodian, all read at one point in time.
 *
 * @param holdings cash and positions without open orders; its open orders are those that are not ours
 * @param orders how our orders stand; those that the custodian does not know are missing
 * @param fills since the time or revision asked for, the oldest first; may contain fills that were reported before
 * @param isComplete whether there are no later fills; otherwise the report has to be asked for again
 * @param warning what the report leaves out, a sentence for the user; null when it leaves out nothing
 */
public record CustodianReport(
        CustodianHoldings holdings,
        List<OrderReport> orders,
        List<Fill> fills,
        boolean isComplete,
        @Nullable String warning) {
    private static final int MAX_TEXT = 256;

    public CustodianReport {
        orders = List.copyOf(orders);
        fills = List.copyOf(fills);
    }

    /** A report that leaves out nothing. */
    public CustodianReport(CustodianHoldings holdings, List<OrderReport> orders, List<Fill> fills, boolean isComplete) {
        this(holdings, orders, fills, isComplete, null);
    }

    /**
     * Why nothing of the report can be believed, as a sentence for the user: a number that no account has, or a text that
     * cannot be recorded. Empty when there is none.
     */
    public Optional<String> problem() {
        Stream<Optional<String>> ofHoldings = Stream.concat(
                Stream.of(amount(holdings.cash(), "cash")),
                holdings.positions().stream()
                        .flatMap(held -> Stream.of(
                                quantity(held.quantity(), "quantity of " + held.symbol()),
                                price(held.price(), "price of " + held.symbol()),
                                amount(held.marketValue(), "value of " + held.symbol()))));
        Stream<Optional<String>> ofOrders = Stream.concat(
                holdings.openOrders().stream()
                        .map(open -> amount(open.rest(), "amount of an order for " + open.symbol())),
                orders.stream()
                        .flatMap(order -> Stream.of(
                                bounded(order.filledQuantity(), "filled quantity of an order"),
                                text(order.externalId(), "id of an order"))));
        Stream<Optional<String>> ofFills = fills.stream()
                .flatMap(fill -> Stream.of(
                        text(fill.id(), "id of a fill of " + fill.symbol()),
                        text(fill.clientOrderId(), "order of a fill of " + fill.symbol()),
                        quantity(fill.quantity(), "quantity of a fill of " + fill.symbol()),
                        price(fill.price(), "price of a fill of " + fill.symbol()),
                        amount(fill.amountUsd(), "amount of a fill of " + fill.symbol())));
        return Stream.of(ofHoldings, ofOrders, ofFills)
                .flatMap(each -> each)
                .flatMap(Optional::stream)
                .findFirst()
                .map(what -> "The " + what + " that " + holdings.name() + " reports cannot be right.");
    }

    private static Optional<String> text(@Nullable String text, String what) {
        boolean isPossible = text == null || text.length() <= MAX_TEXT && PlainText.isClean(text);
        return isPossible ? Optional.empty() : Optional.of(what);
    }

    private static Optional<String> amount(Usd usd, String what) {
        boolean isPossible = usd.value().signum() >= 0 && usd.value().compareTo(HoldingsDocument.MAX_USD) <= 0;
        return isPossible ? Optional.empty() : Optional.of(what);
    }

    private static Optional<String> price(Usd usd, String what) {
        return usd.value().signum() > 0 ? amount(usd, what) : Optional.of(what);
    }

    private static Optional<String> quantity(BigDecimal units, String what) {
        return units.signum() > 0 ? bounded(units, what) : Optional.of(what);
    }

    private static Optional<String> bounded(BigDecimal units, String what) {
        boolean isPossible = units.signum() >= 0 && units.compareTo(HoldingsDocument.MAX_QUANTITY) <= 0;
        return isPossible ? Optional.empty() : Optional.of(what);
    }
}
