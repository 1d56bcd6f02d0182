package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.StaleCustodian;
import dev.agentpolicy.domain.decision.AdvisedDecision;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom.AssetHeadroom;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes trades, and what is decided about them: decisions, suggestions, headroom and proposals (docs/reference/agent-api.md).
 */
public final class DecisionJson {

    private DecisionJson() {}

    public static void write(JsonWriter out, Decision decision) {
        verdict(out, decision);
        out.integer("ipsVersion", decision.ipsVersion())
                .object("snapshot", decision.snapshot(), DecisionJson::snapshot);
        stale(out, decision.stale());
        out.instant("checkedAt", decision.checkedAt());
    }

    /** As above, with the suggestion for a blocked trade that a smaller amount would allow. */
    public static void write(JsonWriter out, AdvisedDecision advised) {
        write(out, advised.decision());
        out.presentObject(
                "suggestion", advised.maxAllowed(), (suggestion, max) -> suggestion.number("maxAllowedUsd", max));
    }

    static void verdict(JsonWriter out, Decision decision) {
        out.truth("allowed", decision.isAllowed()).text("reason", decision.reason());
        violations(out, decision.violations());
    }

    public static void violations(JsonWriter out, List<Violation> violations) {
        out.array("violations", violations, DecisionJson::violation);
    }

    static void violation(JsonWriter out, Violation violation) {
        out.text("rule", violation.rule().wireName())
                .text("message", violation.message())
                .present("limit", violation.limit(), JsonWriter::number)
                .present("actual", violation.actual(), JsonWriter::number)
                .present("ruleId", violation.ruleId(), JsonWriter::text);
        retryAt(out, violation);
    }

    /** Writes when a limit over time would let the trade pass: null if it never would, nothing for other rules. */
    private static void retryAt(JsonWriter out, Violation violation) {
        if (violation.isTimed()) {
            out.instant("retryAt", violation.retryAt());
        }
    }

    public static void snapshot(JsonWriter out, Snapshot snapshot) {
        out.number("totalValue", snapshot.total())
                .number("cryptoValue", snapshot.crypto())
                .number("tradfiValue", snapshot.tradfi())
                .number("cashValue", snapshot.cash());
        shares(out, snapshot);
        out.instant("snapshotDate", snapshot.date()).number("currentDrawdownPct", snapshot.currentDrawdown());
    }

    /** Writes the allocation; nulls without a snapshot. */
    static void shares(JsonWriter out, @Nullable Snapshot snapshot) {
        out.number(
                        "cryptoPct",
                        snapshot == null
                                ? null
                                : snapshot.share(AssetType.CRYPTO).rounded())
                .number(
                        "tradfiPct",
                        snapshot == null
                                ? null
                                : snapshot.share(AssetType.TRADFI).rounded())
                .number(
                        "cashPct",
                        snapshot == null ? null : snapshot.cashShare().rounded());
    }

    /** Writes the custodian because of which there is no snapshot; nothing if there is none. */
    static void stale(JsonWriter out, @Nullable StaleCustodian stale) {
        out.presentObject(
                "stale",
                stale,
                (members, it) -> members.text("custodian", it.custodian())
                        .text("name", it.name())
                        .instant("lastSyncedAt", it.lastSyncedAt()));
    }

    /** Writes a trade as it was understood. */
    public static void write(JsonWriter out, Trade trade) {
        trade(out, trade, trade.asset().value());
    }

    /** As above, with the symbol as it was sent. */
    static void asSent(JsonWriter out, SentTrade sent) {
        trade(out, sent.trade(), sent.symbol());
    }

    private static void trade(JsonWriter out, Trade trade, String symbol) {
        asset(out, trade, symbol)
                .number("amountUsd", trade.amount())
                .present("expectedSlippagePct", trade.expectedSlippage(), JsonWriter::number);
    }

    private static JsonWriter asset(JsonWriter out, Trade trade, String symbol) {
        return out.text("action", trade.action().wireName())
                .text("assetSymbol", symbol)
                .text("assetType", trade.assetType().wireName());
    }

    /** Writes how a trade would be decided (docs/reference/app-api.md, trying a trade). */
    public static void write(JsonWriter out, Trial trial) {
        out.object("decision", trial.decision(), DecisionJson::write)
                .object("headroom", trial.headroom(), DecisionJson::write);
    }

    /** Writes past decisions beside those that another policy would have made (docs/reference/app-api.md, ips/preview). */
    public static void write(JsonWriter out, List<PreviewedDecision> lines) {
        long different = lines.stream().filter(PreviewedDecision::isDifferent).count();
        out.integer("count", lines.size())
                .integer("different", different)
                .array("results", lines, DecisionJson::preview);
    }

    static void preview(JsonWriter out, PreviewedDecision line) {
        DecisionRecord record = line.was();
        out.id("id", line.id())
                .instant("checkedAt", record.decision().checkedAt())
                .text("kind", record.kind().auditName())
                .id("agentKeyId", record.agentKeyId())
                .object("payload", record.trade(), DecisionJson::write)
                .truth("different", line.isDifferent())
                .object("before", record.decision(), DecisionJson::verdict)
                .object("after", line.preview(), DecisionJson::verdict);
    }

    public static void writeAll(JsonWriter out, List<AssetHeadroom> all) {
        out.array("assets", all, DecisionJson::write);
    }

    /** Writes how much of an asset may be traded. */
    public static void write(JsonWriter out, AssetHeadroom headroom) {
        asset(out, headroom.asked().trade(), headroom.asked().symbol());
        write(out, headroom.now());
        out.object("ifPendingAccepted", headroom.ifPendingAccepted(), DecisionJson::limit)
                .integer("ipsVersion", headroom.ipsVersion())
                .object("snapshot", headroom.snapshot(), DecisionJson::snapshot)
                .instant("checkedAt", headroom.checkedAt());
    }

    /** The allowed amounts and what limits them. */
    private static void write(JsonWriter out, Headroom headroom) {
        out.array(
                "intervals",
                headroom.intervals(),
                (nested, interval) -> nested.number("minUsd", interval.min()).number("maxUsd", interval.max()));
        limit(out, headroom);
    }

    private static void limit(JsonWriter out, Headroom headroom) {
        out.number("maxAllowedUsd", headroom.maxAllowed()).object("binding", headroom.binding(), (nested, binding) -> {
            nested.text("rule", binding.rule().wireName())
                    .number("limit", binding.limit())
                    .text("message", binding.message())
                    .present("ruleId", binding.ruleId(), JsonWriter::text);
            retryAt(nested, binding);
        });
    }

    /** Writes the result of a proposal (specification, ProposeResponse). */
    public static void write(JsonWriter out, Proposed proposed) {
        Long requestId = proposed.requestId();
        out.truth("proposed", requestId != null)
                .presentObject("decision", proposed.advised(), DecisionJson::write)
                .present("serviceRequestId", requestId, JsonWriter::integer)
                .text("message", message(proposed, requestId))
                .truth("idempotent", proposed.isReplay());
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
