package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Rfc3339;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes approvals (docs/reference/ips.md). */
public final class ApprovalDocument {
    private static final int MAX_ID = 64;

    private ApprovalDocument() {}

    /** Reads an approval that a user sent. */
    public static Reading<Approval> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Approval approval = approval(fields);
        return fields.finish(() -> Fields.present(approval));
    }

    /** Reads the approvals of a statement or of a decision. */
    public static List<Approval> readAll(Fields fields) {
        return fields.objects("approvals", Approval.MAX, ApprovalDocument::approval);
    }

    /** Reads what {@link #toSigned} wrote. */
    public static Approval readSigned(Document signed) {
        Fields fields = new Fields(signed, Decimals.TEXT);
        Approval approval = approval(fields);
        return fields.finish(() -> Fields.present(approval)).orElseThrow();
    }

    /** The members of an approval in the log; those that are null are left out. */
    public static Map<String, @Nullable Object> toSigned(Approval approval) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("ruleId", approval.ruleId());
        put(members, "agentKeyId", approval.agentKeyId());
        put(
                members,
                "action",
                approval.action() == null ? null : approval.action().wireName());
        put(
                members,
                "symbol",
                approval.symbol() == null ? null : approval.symbol().value());
        Usd max = approval.maxAmountUsd();
        put(members, "maxAmountUsd", max == null ? null : Decimals.text(max.value()));
        members.put("until", Instants.format(approval.until()));
        return members;
    }

    private static void put(Map<String, @Nullable Object> members, String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value.toString());
        }
    }

    private static @Nullable Approval approval(Fields fields) {
        String rule = fields.plainText("ruleId", 1, MAX_ID);
        UUID key = fields.meaning("agentKeyId", "must be the id of a key", ApprovalDocument::uuid);
        Action action = fields.word("action", Action.values(), Action::wireName);
        AssetSymbol symbol = fields.meaning("symbol", AssetSymbol.EXPECTED, AssetSymbol::of);
        BigDecimal max = fields.decimal(
                "maxAmountUsd", BigDecimal.ZERO, TradePayload.MAX_AMOUNT_USD, TradePayload.MAX_AMOUNT_DECIMALS);
        Instant until =
                fields.meaning("until", "must be a date-time such as 2026-11-21T09:40:00Z", ApprovalDocument::instant);
        fields.require("ruleId", "until");
        return rule == null || until == null
                ? null
                : new Approval(rule, key, action, symbol, max == null ? null : new Usd(max), until);
    }

    private static @Nullable UUID uuid(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equals(text) ? id : null;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static @Nullable Instant instant(String text) {
        Instant time = Rfc3339.parse(text);
        return time == null ? null : Instants.truncated(time);
    }
}
