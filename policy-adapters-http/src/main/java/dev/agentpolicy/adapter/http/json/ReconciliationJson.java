package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.ReconciledRequest;
import dev.agentpolicy.domain.usecase.custodian.ReadReconciliation.Reconciliation;

/** Writes what was attested beside what was filled (docs/reference/custodians.md, reconciliation). */
public final class ReconciliationJson {

    private ReconciliationJson() {}

    public static void write(JsonWriter out, Reconciliation reconciliation) {
        Long next = reconciliation.next();
        out.array("requests", reconciliation.requests(), ReconciliationJson::request)
                .array("unattested", reconciliation.unattested(), FillJson::withAsset)
                .text("nextCursor", next == null ? null : next.toString());
    }

    private static void request(JsonWriter out, ReconciledRequest reconciled) {
        Proposal proposal = reconciled.request().proposal();
        OrderAttempt order = reconciled.order();
        out.integer("serviceRequestId", reconciled.request().id())
                .text("status", reconciled.request().status().wireName())
                .text("agentKeyId", proposal.agentKeyId().toString())
                .text("agentName", proposal.agentName())
                .object("trade", proposal.trade(), TradeJson::write)
                .text("custodian", order == null ? null : order.custodian())
                .text("clientOrderId", order == null ? null : order.clientOrderId())
                .text("state", order == null ? null : order.state().wireName())
                .number("allowedUsd", reconciled.allowed().value())
                .number("orderedUsd", order == null ? null : order.ordered().value())
                .number("filledUsd", reconciled.filled().value())
                .number("deviationUsd", reconciled.deviation().value())
                .array("fills", reconciled.fills(), FillJson::withAsset);
    }
}
