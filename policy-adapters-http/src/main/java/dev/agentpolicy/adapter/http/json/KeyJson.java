package dev.agentpolicy.adapter.http.json;

import static dev.agentpolicy.adapter.http.json.IpsJson.sorted;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.EndingSecret;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Writes agent keys and their caps (docs/reference/keys.md). */
public final class KeyJson {

    private KeyJson() {}

    /** Writes a key with its secret, which is shown only once. */
    public static void issued(JsonWriter out, Issued issued) {
        AgentKey key = issued.key();
        out.text("agentKeyId", key.id().toString())
                .text("key", issued.credential().reveal());
        description(out, key);
    }

    /** Writes a key without its secret. */
    public static void write(JsonWriter out, AgentKey key) {
        out.text("agentKeyId", key.id().toString());
        description(out, key);
    }

    /** Writes a key without its secret, and how much of its caps is used today. */
    public static void inUse(JsonWriter out, AgentKey key, CapUsage used) {
        write(out, key);
        out.object("usedToday", used, KeyJson::used);
    }

    private static void used(JsonWriter out, CapUsage used) {
        out.integer("calls", used.calls())
                .number("usd", used.usd().value())
                .number("aum", used.aum().value());
    }

    private static void description(JsonWriter out, AgentKey key) {
        EndingSecret previous = key.previous();
        out.text("name", key.name())
                .text("keyType", key.type().wireName())
                .texts("scopes", sorted(key.scopes()), Scope::wireName)
                .object("policy", key.policy(), KeyJson::caps)
                .text("last4", key.last4())
                .instant("createdAt", key.createdAt())
                .instant("expiresAt", key.expiresAt())
                .instant("rotatedAt", key.rotatedAt())
                .instant("revokedAt", key.revokedAt())
                .texts("allowedCidrs", key.networks(), NetworkRange::toString)
                .truth("paused", key.policy().isPaused())
                .instant("previousSecretEndsAt", previous == null ? null : previous.endsAt());
    }

    /** Writes the caps of a key and what is left of them today; null means no cap. */
    static void capsAndRest(JsonWriter out, KeyPolicy policy, CapUsage used) {
        caps(out, policy);
        Integer calls = policy.dailyCallCap();
        if (calls == null) {
            out.nothing("callsRemainingToday");
        } else {
            out.integer("callsRemainingToday", Math.max(0, calls - used.calls()));
        }
        out.number("usdRemainingToday", rest(policy.dailyUsdCap(), used.usd()))
                .number("aumRemainingUsd", rest(policy.aumCapUsd(), used.aum()))
                .truth("paused", policy.isPaused());
    }

    private static void caps(JsonWriter out, KeyPolicy policy) {
        out.integer("dailyCallCap", policy.dailyCallCap())
                .number("dailyUsdCap", value(policy.dailyUsdCap()))
                .number("aumCapUsd", value(policy.aumCapUsd()))
                .texts("allowedAssets", sorted(policy.allowedAssets()), AssetSymbol::value)
                .texts("allowedAssetTypes", sorted(policy.allowedAssetTypes()), AssetType::wireName);
    }

    private static @Nullable BigDecimal value(@Nullable Usd amount) {
        return amount == null ? null : amount.value();
    }

    private static @Nullable BigDecimal rest(@Nullable Usd cap, Usd used) {
        return cap == null ? null : cap.minus(used).max(Usd.ZERO).value();
    }
}
