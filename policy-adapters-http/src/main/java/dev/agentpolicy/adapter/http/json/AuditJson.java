package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.DecisionRecord;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.usecase.ReadAudit.Entry;

/** A row of the audit feed on the wire (contract, section 3, audit). */
public final class AuditJson {

    private AuditJson() {}

    public static void write(JsonWriter out, Entry entry) {
        DecisionRecord record = entry.decision();
        Decision decision = record.decision();
        out.text("id", entry.event().eventId().toString())
                .instant("checkedAt", decision.checkedAt())
                .text("kind", record.kind().auditName())
                .text("actor", record.actor().wireName())
                .text("agentKeyId", record.agentKeyId().toString())
                .object("payload", record.trade(), TradeJson::write)
                .present("rationale", record.rationale(), JsonWriter::text)
                .truth("allowed", record.isAllowed())
                .text("reason", record.reason());
        DecisionJson.violations(out, decision.violations());
        out.integer("ipsVersion", decision.ipsVersion())
                .object("snapshot", decision.snapshot(), DecisionJson::snapshot)
                .object("serviceRequest", entry.request(), AuditJson::request)
                .integer("eventSeq", entry.event().seq())
                .text("eventHash", entry.event().hash());
    }

    private static void request(JsonWriter out, ServiceRequest request) {
        out.integer("id", request.id())
                .text("type", ServiceRequest.TYPE)
                .text("status", request.status().wireName())
                .text("reason", request.reason());
    }
}
