package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.event.chain.ScannedRow;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.EventFacts;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityEntry;
import dev.agentpolicy.domain.usecase.request.ReadActivity.ActivityPage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes events in words (docs/reference/activity.md). */
public final class ActivityJson {

    private ActivityJson() {}

    public static void write(JsonWriter out, ActivityPage page) {
        Long next = page.next();
        out.array("events", page.entries(), ActivityJson::entry)
                .text("nextCursor", next == null ? null : next.toString());
    }

    private static void entry(JsonWriter out, ActivityEntry entry) {
        EventFacts facts = entry.facts();
        ScannedRow row = facts.row();
        AgentKeyId agent = entry.agentKeyId();
        Usd amount = facts.amount();
        Boolean allowed = facts.allowed();
        out.integer("seq", row.seq())
                .text("eventId", row.eventId().toString())
                .text("eventType", row.kind().wireName())
                .instant("createdAt", row.createdAt())
                .text("hash", row.hash())
                .text("text", entry.text())
                .truth("erased", facts.isErased())
                .text("kind", word(facts.call(), DecisionRecord.Kind::auditName))
                .text("actor", word(facts.actor(), DecisionRecord.Actor::wireName))
                .text("agentKeyId", agent == null ? null : agent.toString())
                .text("agentName", entry.agentName())
                .text("action", word(facts.action(), Action::wireName))
                .text("symbol", facts.symbol())
                .text("assetType", word(facts.assetType(), AssetType::wireName))
                .number("amountUsd", amount == null ? null : amount.value());
        if (allowed == null) {
            out.nothing("allowed");
        } else {
            out.truth("allowed", allowed);
        }
        out.texts("rules", facts.rules().toList(), Rule::wireName)
                .array("violations", facts.violations(), ActivityJson::violation)
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
}
