package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes decisions, violations and snapshots (specification, ValidateResponse). */
public final class DecisionJson {

    private DecisionJson() {}

    public static void write(JsonWriter out, Decision decision) {
        out.truth("allowed", decision.isAllowed()).text("reason", decision.reason());
        violations(out, decision.violations());
        out.integer("ipsVersion", decision.ipsVersion());
        out.object("snapshot", decision.snapshot(), DecisionJson::snapshot);
        stale(out, decision.stale());
        out.instant("checkedAt", decision.checkedAt());
    }

    /** As above, with the suggestion for a blocked trade that a smaller amount would allow. */
    public static void write(JsonWriter out, AdvisedDecision advised) {
        write(out, advised.decision());
        out.present(
                "suggestion",
                advised.maxAllowed(),
                (members, name, max) -> members.object(name, max, DecisionJson::suggestion));
    }

    private static void suggestion(JsonWriter out, Usd max) {
        out.number("maxAllowedUsd", max.value());
    }

    public static void violations(JsonWriter out, List<Violation> violations) {
        out.array("violations", violations, DecisionJson::violation);
    }

    public static void snapshot(JsonWriter out, Snapshot snapshot) {
        out.number("totalValue", snapshot.total().value())
                .number("cryptoValue", snapshot.crypto().value())
                .number("tradfiValue", snapshot.tradfi().value())
                .number("cashValue", snapshot.cash().value())
                .number("cryptoPct", snapshot.share(AssetType.CRYPTO).rounded().value())
                .number("tradfiPct", snapshot.share(AssetType.TRADFI).rounded().value())
                .number("cashPct", snapshot.cashShare().rounded().value())
                .instant("snapshotDate", snapshot.date())
                .number("currentDrawdownPct", snapshot.currentDrawdown().value());
    }

    /** Writes the custodian because of which there is no snapshot; nothing if there is none. */
    static void stale(JsonWriter out, @Nullable StaleCustodian stale) {
        out.present("stale", stale, (members, name, it) -> members.object(name, it, DecisionJson::members));
    }

    private static void members(JsonWriter out, StaleCustodian stale) {
        out.text("custodian", stale.custodian())
                .text("name", stale.name())
                .instant("lastSyncedAt", stale.lastSyncedAt());
    }

    static void violation(JsonWriter out, Violation violation) {
        out.text("rule", violation.rule().wireName())
                .text("message", violation.message())
                .present("limit", violation.limit(), JsonWriter::number)
                .present("actual", violation.actual(), JsonWriter::number)
                .present("ruleId", violation.ruleId(), JsonWriter::text);
    }
}
