package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;

/**
 * An order as it stands at the broker.
 *
 * @param id given by the broker
 * @param clientOrderId given by who placed it; the broker gives one where nobody did
 * @param instrument what is traded
 * @param action the direction
 * @param type the kind of order, {@code market} or {@code limit}; empty when the broker does not say
 * @param state where it stands
 * @param notional the ordered amount in dollars; empty when it was ordered by quantity
 * @param quantity the ordered units; empty when it was ordered by amount
 * @param filledQuantity the units traded so far
 * @param averagePrice of the units traded so far, in dollars; empty when there are none
 * @param bound the limit price, or else the stop price; empty for a market order
 * @param submittedAt by the broker's clock
 * @param updatedAt when it last changed, by the broker's clock
 */
public record AlpacaOrder(
        String id,
        String clientOrderId,
        Instrument instrument,
        Action action,
        String type,
        AlpacaOrderState state,
        Optional<BigDecimal> notional,
        Optional<BigDecimal> quantity,
        BigDecimal filledQuantity,
        Optional<BigDecimal> averagePrice,
        Optional<BigDecimal> bound,
        Instant submittedAt,
        Instant updatedAt) {

    /** The order in the terms of the service, compared with what was ordered. */
    OrderReport report(NewOrder ordered) {
        return new OrderReport(
                clientOrderId,
                id,
                state.reported(),
                filledQuantity,
                ordered.difference(this).orElse(null));
    }
}
