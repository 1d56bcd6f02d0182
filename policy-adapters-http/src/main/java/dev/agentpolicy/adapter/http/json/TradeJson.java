package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.trade.Trade;

/** A trade on the wire, as it was understood (specification, TradePayload). */
public final class TradeJson {

    private TradeJson() {}

    public static void write(JsonWriter out, Trade trade) {
        Percent slippage = trade.expectedSlippage();
        out.text("action", trade.action().wireName())
                .text("assetSymbol", trade.asset().value())
                .text("assetType", trade.assetType().wireName())
                .number("amountUsd", trade.amount().value())
                .present("expectedSlippagePct", slippage == null ? null : slippage.value(), JsonWriter::number);
    }
}
