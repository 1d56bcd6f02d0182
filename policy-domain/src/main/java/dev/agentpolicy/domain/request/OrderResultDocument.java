package dev.agentpolicy.domain.request;

import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads order results as they are stored; decimals are text. */
public final class OrderResultDocument {

    private OrderResultDocument() {}

    /** The members of an order result. */
    public static Map<String, @Nullable Object> toStored(OrderResult settlement) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("execution", settlement.fold(filled -> RequestDocument.execution(filled.execution()), no -> null));
        members.put("holdings", settlement.fold(filled -> HoldingsDocument.toStored(filled.holdings()), no -> null));
        members.put("reason", settlement.<@Nullable String>fold(filled -> null, NotFilled::reason));
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static OrderResult readStored(Stored stored) {
        return stored.has("execution")
                ? new Filled(
                        RequestDocument.readExecution(stored.object("execution")),
                        HoldingsDocument.readStored(stored.object("holdings")))
                : new NotFilled(stored.text("reason"));
    }
}
