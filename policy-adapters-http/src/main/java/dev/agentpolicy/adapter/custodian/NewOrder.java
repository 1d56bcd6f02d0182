package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit order for units.
 *
 * @param clientOrderId names the order once and for all
 * @param instrument what to trade
 * @param action the direction
 * @param quantity the units; null for an order from before price bounds, which is only followed
 * @param limit the bound of its price; null likewise
 */
record NewOrder(
        String clientOrderId,
        Instrument instrument,
        Action action,
        @Nullable BigDecimal quantity,
        @Nullable Usd limit) {
    /** The only type of order that is placed. */
    static final String TYPE = "limit";

    static NewOrder of(Order order) {
        Instrument instrument = new Instrument(order.symbol(), order.assetType());
        return new NewOrder(order.clientOrderId(), instrument, order.action(), order.quantity(), order.limit());
    }

    /** The units of an order that is placed. */
    BigDecimal units() {
        return Objects.requireNonNull(quantity, "An order at Alpaca must be for units.");
    }

    /** The limit price of an order that is placed. */
    BigDecimal bound() {
        return Objects.requireNonNull(limit, "An order must have a bound.").value();
    }

    /** How the broker's order with this id differs from this one, as a sentence for the user; empty when it is the same. */
    Optional<String> difference(AlpacaOrder order) {
        boolean isSame = order.instrument().orderSymbol().equals(instrument.orderSymbol())
                && order.action() == action
                && (quantity == null || isSameSize(order));
        if (isSame) {
            return Optional.empty();
        }
        String size = quantity == null ? "some" : Exact.normalised(quantity).toPlainString();
        String at = limit == null ? "" : " at " + limit;
        return Optional.of("Alpaca has this order as " + words(order) + ", and not as "
                + words(action, size, instrument.orderSymbol(), quantity == null ? "" : TYPE) + at + ".");
    }

    private boolean isSameSize(AlpacaOrder order) {
        return (order.type().isEmpty() || order.type().equals(TYPE))
                && order.notional().isEmpty()
                && order.quantity()
                        .filter(units -> units.compareTo(units()) == 0)
                        .isPresent()
                && order.bound().filter(price -> price.compareTo(bound()) == 0).isPresent();
    }

    private static String words(AlpacaOrder order) {
        String size = order.notional()
                .map(usd -> usd.toPlainString() + " USD of")
                .or(() -> order.quantity().map(BigDecimal::toPlainString))
                .orElse("an unknown amount of");
        String at = order.bound().map(price -> " at " + price.toPlainString()).orElse("");
        return words(order.action(), size, order.instrument().orderSymbol(), order.type()) + at;
    }

    private static String words(Action action, String size, String symbol, String type) {
        return (type.isEmpty() ? "" : type + " ") + action.wireName() + " of " + size + " " + symbol;
    }
}
