package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes and reads the order of a request as it is stored; decimals are text. */
final class OrderAttemptDocument {

    private OrderAttemptDocument() {}

    static Map<String, @Nullable Object> toStored(OrderAttempt order) {
        Instant lastFillAt = order.lastFillAt();
        Instant cancelRequestedAt = order.cancelRequestedAt();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", order.custodian());
        members.put("kind", order.kind().wireName());
        members.put("number", order.number());
        members.put("clientOrderId", order.clientOrderId());
        members.put("acceptedAt", Instants.format(order.acceptedAt()));
        members.put("ordered", Decimals.text(order.ordered().value()));
        members.put("externalId", order.externalId());
        members.put("state", order.state().wireName());
        members.put("stateReason", order.state() instanceof OrderState.Rejected rejected ? rejected.reason() : null);
        members.put("quantity", Decimals.text(order.quantity()));
        members.put("filledUsd", Decimals.text(order.filledUsd().value()));
        members.put("lastFillAt", lastFillAt == null ? null : Instants.format(lastFillAt));
        members.put("cancelRequestedAt", cancelRequestedAt == null ? null : Instants.format(cancelRequestedAt));
        Instant heldSince = order.heldSince();
        if (heldSince != null) {
            members.put("heldSince", Instants.format(heldSince));
        }
        if (order.warning() != null) {
            members.put("warning", order.warning());
        }
        return members;
    }

    static OrderAttempt readStored(Stored stored) {
        return new OrderAttempt(
                stored.text("custodian"),
                stored.word("kind", CustodianKind.class),
                Math.toIntExact(stored.integer("number")),
                stored.text("clientOrderId"),
                stored.instant("acceptedAt"),
                new Usd(stored.decimal("ordered")),
                stored.textOrNull("externalId"),
                OrderState.of(stored.text("state"), Objects.requireNonNullElse(stored.textOrNull("stateReason"), "")),
                stored.decimal("quantity"),
                new Usd(stored.decimal("filledUsd")),
                stored.instantOrNull("lastFillAt"),
                stored.instantOrNull("cancelRequestedAt"),
                stored.instantOrNull("heldSince"),
                stored.textOrNull("warning"));
    }
}
