package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.quantity.Exact;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How an order stands at its custodian.
 *
 * @param clientOrderId the id it was placed with
 * @param externalId the custodian's own id
 * @param state where it stands
 * @param filledQuantity the units filled so far; the order is not done before fills of that quantity are recorded
 * @param warning how the custodian's order differs from the one that was placed, a sentence for the user; null when it
 *     is the same
 */
public record OrderReport(
        String clientOrderId,
        String externalId,
        OrderState state,
        BigDecimal filledQuantity,
        @Nullable String warning) {

    public OrderReport {
        filledQuantity = Exact.normalised(filledQuantity);
    }

    /** The report of an order that is as it was placed. */
    public OrderReport(String clientOrderId, String externalId, OrderState state, BigDecimal filledQuantity) {
        this(clientOrderId, externalId, state, filledQuantity, null);
    }
}
