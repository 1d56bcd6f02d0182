package dev.agentpolicy.adapter.custodian;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.custodian.AlpacaClient.OrderPage;
import dev.agentpolicy.adapter.custodian.AlpacaJson.Shape;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * An order as it stands at the broker.
 *
 * @param id given by the broker
 * @param clientOrderId given by who placed it; the broker gives one where nobody did
 * @param type the kind of order, {@code market} or {@code limit}; empty when the broker does not say
 * @param notional the ordered amount in dollars; empty when it was ordered by quantity
 * @param quantity the ordered units; empty when it was ordered by amount
 * @param filledQuantity the units traded so far
 * @param averagePrice of the units traded so far, in dollars; empty when there are none
 * @param bound the limit price, or else the stop price; empty for a market order
 * @param submittedAt by the broker's clock
 * @param updatedAt when it last changed, by the broker's clock
 */
record AlpacaOrder(
        String id,
        String clientOrderId,
        Instrument instrument,
        Action action,
        String type,
        OrderState state,
        Optional<BigDecimal> notional,
        Optional<BigDecimal> quantity,
        BigDecimal filledQuantity,
        Optional<BigDecimal> averagePrice,
        Optional<BigDecimal> bound,
        Instant submittedAt,
        Instant updatedAt) {

    static AlpacaOrder of(AlpacaJson json) throws FailedAttempt {
        BigDecimal filled = json.required(json.units("filled_qty"), "filled_qty");
        if (filled.signum() < 0) {
            throw FailedAttempt.malformed("filled_qty");
        }
        JsonNode node = json.node();
        Optional<BigDecimal> stop = json.positiveUsd("stop_price");
        Instant submittedAt = json.instant(node.path("submitted_at").isNull() ? "created_at" : "submitted_at");
        return new AlpacaOrder(
                json.id("id"),
                json.text("client_order_id"),
                Instrument.of(json.text("symbol"), json.text("asset_class")),
                json.side(),
                node.path("type").isTextual()
                        ? AlpacaJson.printable(node.path("type").textValue())
                        : "",
                state(json.text("status"), filled.signum() > 0),
                json.positiveUsd("notional"),
                json.positiveUnits("qty"),
                filled,
                json.positiveUsd("filled_avg_price"),
                json.positiveUsd("limit_price").or(() -> stop),
                submittedAt,
                node.path("updated_at").isTextual() ? json.instant("updated_at") : submittedAt);
    }

    /** An unknown word counts as open: an order is over only when the broker says so. */
    private static OrderState state(String status, boolean hasFills) {
        return switch (status) {
            case "filled" -> new OrderState.Filled();
            case "canceled", "replaced" -> new OrderState.Cancelled();
            case "rejected" -> new OrderState.Rejected("Alpaca rejected the order.");
            case "expired" -> new OrderState.Expired();
            default -> hasFills ? new OrderState.PartiallyFilled() : new OrderState.Open();
        };
    }

    /** Reads an order that was asked for by an id; any other one is not an answer. */
    static Shape<AlpacaOrder> named(String member, Function<AlpacaOrder, String> id, String expected) {
        return json -> {
            AlpacaOrder order = of(json);
            if (!id.apply(order).equals(expected)) {
                throw FailedAttempt.malformed(member);
            }
            return order;
        };
    }

    /** Leaves out orders of several options at once, since each of their legs is listed as an order, too. */
    static OrderPage page(AlpacaJson json) throws FailedAttempt {
        List<AlpacaJson> listed = json.list(each -> each);
        List<AlpacaOrder> orders = new ArrayList<>(listed.size());
        for (AlpacaJson each : listed) {
            boolean isOfLegs = each.node().path("order_class").asText().equals("mleg")
                    && each.node().path("symbol").asText().isEmpty();
            if (!isOfLegs) {
                orders.add(of(each));
            }
        }
        return new OrderPage(orders, listed.size());
    }

    /** The order in the terms of the service, compared with what was ordered. */
    OrderReport report(NewOrder ordered) {
        return new OrderReport(
                clientOrderId,
                id,
                state,
                filledQuantity,
                ordered.difference(this).orElse(null));
    }
}
