package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import org.jspecify.annotations.Nullable;

/** A request on the wire, as its user sees it (contract, section 3, ServiceRequest). */
public final class RequestJson {

    private RequestJson() {}

    public static void write(JsonWriter out, ServiceRequest request) {
        Proposal proposal = request.proposal();
        out.integer("id", request.id())
                .text("type", ServiceRequest.TYPE)
                .text("status", request.status().wireName())
                .text("reason", request.reason())
                .text("agentKeyId", proposal.agentKeyId().toString())
                .text("agentName", proposal.agentName())
                .object("trade", proposal.trade(), TradeJson::write)
                .text("rationale", proposal.rationale())
                .integer("ipsVersion", proposal.decision().ipsVersion())
                .object("decision", proposal.decision(), DecisionJson::write)
                .instant("createdAt", proposal.createdAt())
                .instant("expiresAt", proposal.expiresAt())
                .instant("resolvedAt", request.resolvedAt().orElse(null))
                .object("execution", execution(request), RequestJson::execution)
                .present("executionError", executionError(request), JsonWriter::text);
    }

    /** What a custodian did with an order. */
    public static void execution(JsonWriter out, Execution execution) {
        out.text("custodian", execution.custodian())
                .text("externalId", execution.externalId())
                .number("quantity", execution.quantity())
                .number("price", execution.price().value())
                .number("amountUsd", execution.amountUsd().value())
                .instant("executedAt", execution.executedAt());
    }

    private static @Nullable Execution execution(ServiceRequest request) {
        return request.<@Nullable Execution>fold(pending -> null, completed -> completed.execution(), rejected -> null);
    }

    /** Why the last acceptance led to nothing; the request waits again. */
    private static @Nullable String executionError(ServiceRequest request) {
        return request.<@Nullable String>fold(pending -> pending.executionError(), completed -> null, rejected -> null);
    }
}
