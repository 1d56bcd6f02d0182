package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import org.jspecify.annotations.Nullable;

/** Writes the result of a proposal (specification, ProposeResponse). */
public final class ProposalJson {

    private ProposalJson() {}

    public static void write(JsonWriter out, Proposed proposed) {
        Long requestId = proposed.requestId();
        out.truth("proposed", requestId != null);
        if (proposed.advised() != null) {
            out.object("decision", proposed.advised(), DecisionJson::write);
        }
        if (requestId != null) {
            out.integer("serviceRequestId", requestId);
        }
        out.text("message", message(proposed, requestId)).truth("idempotent", proposed.isReplay());
    }

    private static String message(Proposed proposed, @Nullable Long requestId) {
        if (requestId == null) {
            return "The policy blocks this trade; no request was created.";
        }
        if (!proposed.isReplay()) {
            return "Request " + requestId + " waits for the user to accept or reject it.";
        }
        return proposed.isSameBody()
                ? "This Idempotency-Key was used before; this is the request it created."
                : "This Idempotency-Key was used before with a different body; this is the request of the first call,"
                        + " and nothing new was proposed.";
    }
}
