package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the user approves ahead of a standing rule that asks for approval: the rule does not block a trade that the
 * approval covers (docs/reference/ips.md, approvals). The user still attests the trade.
 *
 * @param ruleId the standing rule or limit
 * @param agentKeyId the key whose trades are approved; null for all keys
 * @param action buys or sells; null for both
 * @param symbol the asset; null for every asset
 * @param maxAmountUsd the largest amount of one trade; null for any
 * @param until when the approval ends
 * @param maxUses how many allowed proposals may need it; null for any number
 * @param maxTotalUsd the most USD of these proposals together; null for any
 */
public record Approval(
        String ruleId,
        @Nullable UUID agentKeyId,
        @Nullable Action action,
        @Nullable AssetSymbol symbol,
        @Nullable Usd maxAmountUsd,
        Instant until,
        @Nullable Integer maxUses,
        @Nullable Usd maxTotalUsd) {
    /** Maximum number of approvals in a statement. */
    public static final int MAX = 50;

    private static final int MAX_ID = 64;
    private static final int MAX_USES = 1_000;

    /** How far ahead an approval may end. */
    public static final Duration MAX_LENGTH = Duration.ofDays(30);

    /** The members of an approval that users send and the log has (docs/reference/ips.md). */
    public static final Schema<Approval> SCHEMA = Schema.of(
            row -> new Approval(
                    row.next(), row.next(), row.next(), row.next(), row.next(), row.next(), row.next(), row.next()),
            required("ruleId", Codec.plainText(1, MAX_ID), Approval::ruleId),
            optional("agentKeyId", Codec.uuid("must be the id of a key"), Approval::agentKeyId),
            optional("action", Codec.word(Action.class), Approval::action),
            optional("symbol", AssetSymbol.CODEC, Approval::symbol),
            optional("maxAmountUsd", TradePayload.AMOUNT, Approval::maxAmountUsd),
            required("until", Codec.DATE_TIME, Approval::until),
            optional("maxUses", Codec.integer(1, MAX_USES), Approval::maxUses),
            optional("maxTotalUsd", TradePayload.AMOUNT, Approval::maxTotalUsd));

    /** Whether the approval has not ended. */
    public boolean isInForce(Instant now) {
        return now.isBefore(until);
    }

    /** Whether the approval is for a key, or for all keys. */
    public boolean isFor(UUID key) {
        return agentKeyId == null || agentKeyId.equals(key);
    }

    /** Whether the approval is about a trade under the rule or limit with an id, whatever its amount. */
    public boolean isAbout(String rule, Trade trade) {
        return ruleId.equals(rule)
                && (action == null || action == trade.action())
                && (symbol == null || symbol.equals(trade.asset()));
    }

    /** Whether the proposals that need the approval are counted. */
    public boolean isCounted() {
        return maxUses != null || maxTotalUsd != null;
    }

    /** Whether a statement has the rule or limit. */
    public boolean hasRule(Ips ips) {
        return ips.standingRules().stream()
                        .anyMatch(rule ->
                                rule.id().equals(ruleId) && rule.effect() == StandingRule.Effect.REQUIRE_APPROVAL)
                || ips.limits().stream()
                        .anyMatch(limit ->
                                limit.id().equals(ruleId) && limit.effect() == StandingRule.Effect.REQUIRE_APPROVAL);
    }

    /** Whether its rule or limit has the same effect on the same trades in two statements. */
    boolean hasSameRule(Ips before, Ips after) {
        for (StandingRule was : before.standingRules()) {
            if (was.id().equals(ruleId)) {
                return after.standingRules().stream()
                        .anyMatch(is -> is.id().equals(ruleId)
                                && is.effect() == was.effect()
                                && is.when().equals(was.when()));
            }
        }
        for (Limit was : before.limits()) {
            if (was.id().equals(ruleId)) {
                return after.limits().stream()
                        .anyMatch(is -> is.id().equals(ruleId) && is.effect() == was.effect() && is.isSameBound(was));
            }
        }
        return false;
    }

    /** The same approval under another symbol of its asset. */
    public Approval of(@Nullable AssetSymbol spelling) {
        return new Approval(ruleId, agentKeyId, action, spelling, maxAmountUsd, until, maxUses, maxTotalUsd);
    }
}
