package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.usecase.agent.ReadAudit.AuditEntry;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** Writes rows of the audit feed (docs/reference/agent-api.md, audit). */
public final class AuditJson {
    private static final int DEFAULT_ROW = 700;

    private AuditJson() {}

    /** The UTF-8 bytes of a feed. */
    public static byte[] bytes(List<AuditEntry> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 + entries.size() * DEFAULT_ROW);
        out.write('[');
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(row(entries.get(i)));
        }
        out.write(']');
        return out.toByteArray();
    }

    /** Nothing of a row changes unless it led to a request. */
    private static byte[] row(AuditEntry entry) {
        return entry.decision().serviceRequestId() == null
                ? entry.logged().written(logged -> JsonWriter.object(out -> write(out, entry)))
                : JsonWriter.object(out -> write(out, entry));
    }

    private static void write(JsonWriter out, AuditEntry entry) {
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
                .object("snapshot", decision.snapshot(), DecisionJson::snapshot);
        DecisionJson.stale(out, decision.stale());
        out.object("serviceRequest", entry.request(), AuditJson::request)
                .integer("eventSeq", entry.event().seq())
                .text("eventHash", entry.event().hash());
    }

    static void request(JsonWriter out, ServiceRequest request) {
        out.integer("id", request.id())
                .text("type", ServiceRequest.TYPE)
                .text("status", request.status().wireName())
                .text("reason", request.reason());
        RequestJson.execution(out, request);
    }
}
