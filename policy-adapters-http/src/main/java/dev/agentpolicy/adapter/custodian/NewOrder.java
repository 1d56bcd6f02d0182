package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A market order by amount.
 *
 * @param clientOrderId names the order once and for all: 1 to 128 of {@code A-Z a-z 0-9 . _ : -}
 * @param instrument what to trade
 * @param action the direction
 * @param amount in dollars, cut to whole cents here; at least one cent
 */
record NewOrder(String clientOrderId, Instrument instrument, Action action, Usd amount) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");
    private static final int CENTS = 2;
    /** The only type of order that is placed. */
    static final String TYPE = "market";

    private static final Usd LEAST = Usd.of("0.01");

    /** @throws IllegalArgumentException for an id of another form, or less than a cent */
    public NewOrder {
        if (!ID.matcher(clientOrderId).matches()) {
            throw new IllegalArgumentException("clientOrderId must be 1 to 128 of A-Z a-z 0-9 . _ : -");
        }
        amount = new Usd(amount.value().setScale(CENTS, RoundingMode.DOWN));
        if (amount.value().signum() <= 0) {
            throw new IllegalArgumentException("An order must be for at least 0.01 USD.");
        }
    }

    /** Whether an order can be one at Alpaca. */
    static boolean isPossible(Order order) {
        return order.amount() != null && !order.amount().isBelow(LEAST);
    }

    /** @throws CustodianFailure when the order cannot be placed at Alpaca */
    static NewOrder of(Order order) {
        Usd amount = order.amount();
        if (amount == null) {
            throw CustodianFailure.refused("Orders at Alpaca are placed by amount, not by quantity.");
        }
        if (amount.isBelow(LEAST)) {
            throw CustodianFailure.refused("An order at Alpaca must be for at least " + LEAST + " USD.");
        }
        Instrument instrument = new Instrument(order.symbol(), order.assetType());
        return new NewOrder(order.clientOrderId(), instrument, order.action(), amount);
    }

    /** With two decimals. */
    BigDecimal notional() {
        return amount.value().setScale(CENTS, RoundingMode.UNNECESSARY);
    }

    /** How the broker's order with this id differs from this one, as a sentence for the user; empty when it is the same. */
    Optional<String> difference(AlpacaOrder order) {
        boolean isSame = order.instrument().orderSymbol().equals(instrument.orderSymbol())
                && order.action() == action
                && (order.type().isEmpty() || order.type().equals(TYPE))
                && order.notional()
                        .filter(ordered -> ordered.compareTo(amount.value()) == 0)
                        .isPresent();
        return isSame
                ? Optional.empty()
                : Optional.of("Alpaca has this order as " + words(order) + ", and not as "
                        + words(action, notional().toPlainString() + " USD of", instrument.orderSymbol(), TYPE)
                        + ".");
    }

    private static String words(AlpacaOrder order) {
        String size = order.notional()
                .map(usd -> usd.toPlainString() + " USD of")
                .or(() -> order.quantity().map(BigDecimal::toPlainString))
                .orElse("an unknown amount of");
        return words(order.action(), size, order.instrument().orderSymbol(), order.type());
    }

    private static String words(Action action, String size, String symbol, String type) {
        return (type.isEmpty() ? "" : type + " ") + action.wireName() + " of " + size + " " + symbol;
    }
}
