package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.decision.Headroom;
import dev.agentpolicy.domain.decision.Headroom.Interval;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom.AssetHeadroom;
import java.util.List;

/** Writes how much of assets may be traded (docs/reference/agent-api.md, headroom). */
public final class HeadroomJson {

    private HeadroomJson() {}

    public static void writeAll(JsonWriter out, List<AssetHeadroom> all) {
        out.array("assets", all, HeadroomJson::write);
    }

    public static void write(JsonWriter out, AssetHeadroom headroom) {
        Trade asked = headroom.asked().trade();
        out.text("action", asked.action().wireName())
                .text("assetSymbol", headroom.asked().symbol())
                .text("assetType", asked.assetType().wireName());
        write(out, headroom.now());
        out.object("ifPendingAccepted", headroom.ifPendingAccepted(), HeadroomJson::limit)
                .integer("ipsVersion", headroom.ipsVersion())
                .object("snapshot", headroom.snapshot(), DecisionJson::snapshot)
                .instant("checkedAt", headroom.checkedAt());
    }

    /** The allowed amounts and what limits them. */
    static void write(JsonWriter out, Headroom headroom) {
        out.array("intervals", headroom.intervals(), HeadroomJson::interval);
        limit(out, headroom);
    }

    private static void interval(JsonWriter out, Interval interval) {
        out.number("minUsd", interval.min().value())
                .number("maxUsd", interval.max().value());
    }

    private static void limit(JsonWriter out, Headroom headroom) {
        Usd max = headroom.maxAllowed();
        out.number("maxAllowedUsd", max == null ? null : max.value())
                .object("binding", headroom.binding(), HeadroomJson::binding);
    }

    private static void binding(JsonWriter out, Violation violation) {
        out.text("rule", violation.rule().wireName())
                .number("limit", violation.limit())
                .text("message", violation.message())
                .present("ruleId", violation.ruleId(), JsonWriter::text);
    }
}
