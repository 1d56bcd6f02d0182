package dev.agentpolicy.adapter.http.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.agent.ReadAudit.AuditEntry;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityEntry;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityPage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is in the signed log: rows of the audit feed (docs/reference/agent-api.md, audit), events in words
 * (docs/reference/activity.md), and pages of the signed chain (docs/reference/events.md).
 *
 * <p>Rows of the chain are written as they were signed, and the other members of a page contain nothing that must be escaped.
 * So a page is assembled as bytes, because pages are large and should be copied as little as possible.
 */
public final class AuditJson {
    private static final int DEFAULT_ROW = 700;
    private static final int BESIDE_ROWS = 700;
    private static final byte[] BEGIN = "{\"events\":[".getBytes(UTF_8);

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
                .object("payload", record.trade(), DecisionJson::write)
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

    /** Writes events in words. */
    public static void write(JsonWriter out, ActivityPage page) {
        out.array("events", page.entries(), AuditJson::entry).id("nextCursor", page.next());
    }

    private static void entry(JsonWriter out, ActivityEntry entry) {
        EventFacts facts = entry.facts();
        ScannedRow row = facts.row();
        out.integer("seq", row.seq())
                .text("eventId", row.eventId().toString())
                .text("eventType", row.kind().wireName())
                .instant("createdAt", row.createdAt())
                .text("hash", row.hash())
                .text("text", entry.text())
                .truth("erased", facts.isErased())
                .text("kind", word(facts.call(), DecisionRecord.Kind::auditName))
                .text("actor", word(facts.actor(), DecisionRecord.Actor::wireName))
                .id("agentKeyId", entry.agentKeyId())
                .text("agentName", entry.agentName())
                .text("action", word(facts.action(), Action::wireName))
                .text("symbol", facts.symbol())
                .text("assetType", word(facts.assetType(), AssetType::wireName))
                .number("amountUsd", facts.amount())
                .truth("allowed", facts.allowed())
                .texts("rules", facts.rules().toList(), Rule::wireName)
                .array("violations", facts.violations(), AuditJson::violation)
                .integer("ipsVersion", facts.ipsVersion())
                .object("serviceRequest", entry.request(), AuditJson::request);
    }

    private static void violation(JsonWriter out, Violation violation) {
        DecisionJson.violation(out, violation);
        out.present("standingRuleId", violation.ruleId(), JsonWriter::text);
    }

    private static <E> @Nullable String word(@Nullable E value, Function<E, String> wireName) {
        return value == null ? null : wireName.apply(value);
    }

    /** The UTF-8 bytes of a page of the chain. */
    public static byte[] bytes(PageWithSignedHead pages) {
        byte[] rows = pages.page().rows();
        byte[] end = end(pages).getBytes(UTF_8);
        return ByteBuffer.allocate(BEGIN.length + rows.length + end.length)
                .put(BEGIN)
                .put(rows)
                .put(end)
                .array();
    }

    /** A signed head as JSON text. */
    public static String head(SignedHead head) {
        StringBuilder out = new StringBuilder(BESIDE_ROWS);
        head.appendJson(out);
        return out.toString();
    }

    private static String end(PageWithSignedHead pages) {
        String cursor = pages.page().nextCursor();
        String erasures = pages.page().erasures();
        StringBuilder out = new StringBuilder(BESIDE_ROWS + erasures.length())
                .append("],\"nextCursor\":")
                .append(cursor == null ? null : '"' + cursor + '"')
                .append(",\"erasures\":[")
                .append(erasures)
                .append("],\"head\":");
        pages.head().appendJson(out);
        return out.append('}').toString();
    }
}
