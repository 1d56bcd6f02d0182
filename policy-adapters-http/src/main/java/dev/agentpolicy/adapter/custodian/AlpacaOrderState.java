package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.OrderState;
import java.util.Map;

/** Where an order at the broker stands. */
public enum AlpacaOrderState {
    /** Accepted; waits for the market or for a counterparty. Nothing is filled yet. */
    OPEN,
    /** A part is filled and the rest may follow. */
    PARTIALLY_FILLED,
    /** Filled completely. */
    FILLED,
    /** Ended at somebody's request. A part may be filled. */
    CANCELED,
    /** Ended by the broker or the exchange. A part may be filled. */
    REJECTED,
    /** Ended by the close of the market. A part may be filled. */
    EXPIRED;

    private static final Map<String, AlpacaOrderState> ENDS = Map.of(
            "filled", FILLED,
            "canceled", CANCELED,
            "replaced", CANCELED,
            "rejected", REJECTED,
            "expired", EXPIRED);

    /** Whether nothing more can become of the order. */
    public boolean isFinal() {
        return this != OPEN && this != PARTIALLY_FILLED;
    }

    /** The state in the terms of the service. */
    OrderState reported() {
        return switch (this) {
            case OPEN -> new OrderState.Open();
            case PARTIALLY_FILLED -> new OrderState.PartiallyFilled();
            case FILLED -> new OrderState.Filled();
            case CANCELED -> new OrderState.Cancelled();
            case REJECTED -> new OrderState.Rejected("Alpaca rejected the order.");
            case EXPIRED -> new OrderState.Expired();
        };
    }

    /** An unknown word counts as open: an order is over only when the broker says so. */
    static AlpacaOrderState of(String status, boolean hasFills) {
        return ENDS.getOrDefault(status, hasFills ? PARTIALLY_FILLED : OPEN);
    }
}
