package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.quantity.Exact;
import java.math.BigDecimal;

/**
 * How an order stands at its custodian.
 *
 * @param clientOrderId the id it was placed with
 * @param externalId the custodian's own id
 * @param state where it stands
 * @param filledQuantity the units filled so far; the order is not done before fills of that quantity are recorded
 */
public record OrderReport(String clientOrderId, String externalId, OrderState state, BigDecimal filledQuantity) {

    public OrderReport {
        filledQuantity = Exact.normalised(filledQuantity);
    }
}
