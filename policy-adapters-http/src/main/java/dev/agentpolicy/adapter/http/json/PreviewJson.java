package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import java.util.List;

/** Writes past decisions beside those that another policy would have made (docs/reference/app-api.md, ips/preview). */
public final class PreviewJson {

    private PreviewJson() {}

    public static void write(JsonWriter out, List<PreviewedDecision> lines) {
        long different = lines.stream().filter(PreviewedDecision::isDifferent).count();
        out.integer("count", lines.size()).integer("different", different).array("results", lines, PreviewJson::line);
    }

    private static void line(JsonWriter out, PreviewedDecision line) {
        DecisionRecord record = line.entry().decision();
        out.text("id", line.entry().event().eventId().toString())
                .instant("checkedAt", record.decision().checkedAt())
                .text("kind", record.kind().auditName())
                .text("agentKeyId", record.agentKeyId().toString())
                .object("payload", record.trade(), TradeJson::write)
                .truth("different", line.isDifferent())
                .object("before", record.decision(), PreviewJson::verdict)
                .object("after", line.preview(), PreviewJson::verdict);
    }

    private static void verdict(JsonWriter out, Decision decision) {
        out.truth("allowed", decision.isAllowed()).text("reason", decision.reason());
        DecisionJson.violations(out, decision.violations());
    }
}
