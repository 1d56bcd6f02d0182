package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes and reads stored orders of paper custodians; decimals are text. */
public final class PaperOrderDocument {

    private PaperOrderDocument() {}

    public static Map<String, @Nullable Object> toStored(PaperOrder paper) {
        Map<String, @Nullable Object> members = toStored(paper.order());
        members.put("state", paper.state().wireName());
        members.put("stateReason", paper.state() instanceof OrderState.Rejected rejected ? rejected.reason() : null);
        members.put("fills", paper.fills().stream().map(FillDocument::toStored).toList());
        members.put("revision", paper.revision());
        return members;
    }

    /** Reads what {@link #toStored(PaperOrder)} wrote. */
    public static PaperOrder readStored(Stored stored) {
        return new PaperOrder(
                readOrder(stored),
                OrderState.of(stored.text("state"), Objects.requireNonNullElse(stored.textOrNull("stateReason"), "")),
                stored.objects("fills", FillDocument::readFill),
                stored.integer("revision"));
    }

    private static Map<String, @Nullable Object> toStored(Order order) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("clientOrderId", order.clientOrderId());
        members.put("userId", order.userId().toString());
        members.put("custodian", order.custodian());
        members.put("kind", order.kind().wireName());
        members.put("action", order.action().wireName());
        members.put("symbol", order.symbol().value());
        members.put("assetType", order.assetType().wireName());
        members.put("amount", textOrNull(order.amount()));
        BigDecimal quantity = order.quantity();
        members.put("quantity", quantity == null ? null : Decimals.text(quantity));
        members.put("price", textOrNull(order.price()));
        return members;
    }

    private static Order readOrder(Stored stored) {
        return new Order(
                stored.text("clientOrderId"),
                new UserId(UUID.fromString(stored.text("userId"))),
                stored.text("custodian"),
                stored.word("kind", CustodianKind.class),
                stored.word("action", Action.class),
                new AssetSymbol(stored.text("symbol")),
                stored.word("assetType", AssetType.class),
                usdOrNull(stored, "amount"),
                stored.decimalOrNull("quantity"),
                usdOrNull(stored, "price"));
    }

    private static @Nullable String textOrNull(@Nullable Usd usd) {
        return usd == null ? null : Decimals.text(usd.value());
    }

    private static @Nullable Usd usdOrNull(Stored stored, String name) {
        BigDecimal value = stored.decimalOrNull(name);
        return value == null ? null : new Usd(value);
    }
}
