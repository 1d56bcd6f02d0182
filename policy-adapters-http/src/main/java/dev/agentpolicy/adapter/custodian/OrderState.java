package dev.agentpolicy.adapter.custodian;

import java.util.Map;

/** Where an order at the broker stands. */
public enum OrderState {
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

    private static final Map<String, OrderState> ENDS = Map.of(
            "filled", FILLED,
            "canceled", CANCELED,
            "replaced", CANCELED,
            "rejected", REJECTED,
            "expired", EXPIRED);

    /** Whether nothing more can become of the order. */
    public boolean isFinal() {
        return this != OPEN && this != PARTIALLY_FILLED;
    }

    /** An unknown word counts as open: an order is over only when the broker says so. */
    static OrderState of(String status, boolean hasFills) {
        return ENDS.getOrDefault(status, hasFills ? PARTIALLY_FILLED : OPEN);
    }
}
