package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;

/** Writes a trade as it was understood (specification, TradePayload). */
public final class TradeJson {

    private TradeJson() {}

    public static void write(JsonWriter out, Trade trade) {
        write(out, trade, trade.asset().value());
    }

    /** As above, with the symbol as it was sent. */
    static void asSent(JsonWriter out, SentTrade sent) {
        write(out, sent.trade(), sent.symbol());
    }

    private static void write(JsonWriter out, Trade trade, String symbol) {
        Percent slippage = trade.expectedSlippage();
        out.text("action", trade.action().wireName())
                .text("assetSymbol", symbol)
                .text("assetType", trade.assetType().wireName())
                .number("amountUsd", trade.amount().value())
                .present("expectedSlippagePct", slippage == null ? null : slippage.value(), JsonWriter::number);
    }
}
