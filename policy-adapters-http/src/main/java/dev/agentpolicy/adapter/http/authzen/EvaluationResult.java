package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade.Recorded;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one access evaluation.
 *
 * @param recorded the decision and its receipt; null if nothing was decided
 * @param error why nothing was decided, or what is wrong with the form of the evaluation; null for neither
 */
record EvaluationResult(
        @Nullable Recorded<AdvisedDecision> recorded,
        @Nullable ErrorResponse error) {

    boolean isPermitted() {
        return recorded != null && recorded.value().decision().isAllowed();
    }

    /** The receipt of its event; null if none was recorded. */
    @Nullable
    Receipt receipt() {
        return recorded == null ? null : recorded.receipt();
    }

    /**
     * Writes a decision of the standard. In the sandbox it names no event, because the event is in no log.
     *
     * @param isSandbox whether the caller has a test key
     */
    void write(JsonWriter out, boolean isSandbox) {
        out.truth("decision", isPermitted()).object("context", this, (context, result) -> {
            result.writeDecision(context);
            writeReceipt(context, isSandbox ? null : receipt());
            context.present("error", error, (json, name, it) -> json.object(name, it, EvaluationResult::writeError));
        });
    }

    private void writeDecision(JsonWriter out) {
        Decision decision = recorded == null ? null : recorded.value().decision();
        String refusal = error == null ? null : error.message();
        out.text("reason", decision == null ? refusal : decision.reason());
        DecisionJson.violations(out, decision == null ? List.of() : decision.violations());
        out.integer("ipsVersion", decision == null ? null : decision.ipsVersion());
    }

    private static void writeReceipt(JsonWriter out, @Nullable Receipt receipt) {
        if (receipt == null) {
            out.nothing("eventSeq").nothing("eventHash");
        } else {
            out.integer("eventSeq", receipt.seq()).text("eventHash", receipt.hash());
        }
    }

    private static void writeError(JsonWriter out, ErrorResponse error) {
        out.integer("status", error.code().status()).text("message", error.message());
    }
}
