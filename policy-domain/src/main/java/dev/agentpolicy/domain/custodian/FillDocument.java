package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads stored fills, recorded ones and those of paper orders; decimals are text. */
public final class FillDocument {

    private FillDocument() {}

    /** The members of a recorded fill. */
    public static Map<String, @Nullable Object> toStored(RecordedFill recorded) {
        Map<String, @Nullable Object> members = toStored(recorded.fill());
        members.put("requestId", recorded.requestId());
        return members;
    }

    /** Reads what {@link #toStored(RecordedFill)} wrote. */
    public static RecordedFill readRecorded(Stored stored) {
        return new RecordedFill(readFill(stored), stored.longOrNull("requestId"));
    }

    static Map<String, @Nullable Object> toStored(Fill fill) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", fill.custodian());
        members.put("id", fill.id());
        members.put("clientOrderId", fill.clientOrderId());
        members.put("action", fill.action().wireName());
        members.put("symbol", fill.symbol().value());
        members.put("assetType", fill.assetType().wireName());
        members.put("quantity", Decimals.text(fill.quantity()));
        members.put("price", Decimals.text(fill.price().value()));
        members.put("amountUsd", Decimals.text(fill.amountUsd().value()));
        members.put("executedAt", Instants.format(fill.executedAt()));
        return members;
    }

    static Fill readFill(Stored stored) {
        return new Fill(
                stored.text("custodian"),
                stored.text("id"),
                stored.textOrNull("clientOrderId"),
                stored.word("action", Action.class),
                new AssetSymbol(stored.text("symbol")),
                stored.word("assetType", AssetType.class),
                stored.decimal("quantity"),
                new Usd(stored.decimal("price")),
                new Usd(stored.decimal("amountUsd")),
                stored.instant("executedAt"));
    }
}
