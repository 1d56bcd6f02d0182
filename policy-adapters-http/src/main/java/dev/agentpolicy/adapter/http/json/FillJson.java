package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.Fill;

/** Writes fills as users see them (docs/reference/custodians.md). */
public final class FillJson {

    private FillJson() {}

    /** Writes the fill of a trade whose asset the caller knows. */
    public static void write(JsonWriter out, Fill fill) {
        out.text("custodian", fill.custodian()).text("externalId", fill.id());
        amounts(out, fill);
    }

    /** Writes a fill with its asset. */
    static void withAsset(JsonWriter out, Fill fill) {
        out.text("custodian", fill.custodian())
                .text("externalId", fill.id())
                .text("clientOrderId", fill.clientOrderId())
                .text("action", fill.action().wireName())
                .text("symbol", fill.symbol().value())
                .text("assetType", fill.assetType().wireName());
        amounts(out, fill);
    }

    private static void amounts(JsonWriter out, Fill fill) {
        out.number("quantity", fill.quantity())
                .number("price", fill.price().value())
                .number("amountUsd", fill.amountUsd().value())
                .instant("executedAt", fill.executedAt());
    }
}
