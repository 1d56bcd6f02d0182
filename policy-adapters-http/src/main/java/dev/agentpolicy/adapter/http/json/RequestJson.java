package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.request.Acceptance;
import dev.agentpolicy.domain.request.Execution;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a request as its user sees it (docs/reference/agent-api.md, ServiceRequest). */
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
                .present("warning", warning(proposal.asset()), JsonWriter::text)
                .text("rationale", proposal.rationale())
                .integer("ipsVersion", proposal.decision().ipsVersion())
                .object("decision", proposal.decision(), DecisionJson::write)
                .instant("createdAt", proposal.createdAt())
                .instant("expiresAt", proposal.expiresAt())
                .instant("resolvedAt", request.resolvedAt().orElse(null))
                .object("execution", progress(request), (nested, members) -> members.accept(nested));
    }

    /** What the user should know before accepting; null if there is nothing. */
    private static @Nullable String warning(@Nullable ResolvedAsset asset) {
        return asset == null || asset.isKnown()
                ? null
                : "Nobody knows this asset: that " + asset.symbol() + " is "
                        + asset.assetType().wireName() + " is only what the agent says.";
    }

    /** Writes how a custodian executed an order. */
    public static void execution(JsonWriter out, Execution execution) {
        out.text("custodian", execution.custodian())
                .text("externalId", execution.externalId())
                .number("quantity", execution.quantity())
                .number("price", execution.price().value())
                .number("amountUsd", execution.amountUsd().value())
                .instant("executedAt", execution.executedAt());
    }

    /** The progress of a request's execution; null until the request is accepted. */
    private static @Nullable Consumer<JsonWriter> progress(ServiceRequest request) {
        return request.<@Nullable Consumer<JsonWriter>>fold(
                RequestJson::unfilled, completed -> filled(completed.execution()), rejected -> null);
    }

    private static @Nullable Consumer<JsonWriter> unfilled(Pending pending) {
        Acceptance acceptance = pending.acceptance();
        if (acceptance != null) {
            return out -> out.text("status", "in_progress").text("custodian", acceptance.custodian());
        }
        String error = pending.executionError();
        return error == null ? null : out -> out.text("status", "failed").text("error", error);
    }

    private static Consumer<JsonWriter> filled(Execution execution) {
        return out -> execution(out.text("status", "filled"), execution);
    }
}
