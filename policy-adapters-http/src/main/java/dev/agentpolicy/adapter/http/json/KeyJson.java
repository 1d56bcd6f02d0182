package dev.agentpolicy.adapter.http.json;

import static dev.agentpolicy.adapter.http.json.IpsJson.sorted;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKey.EndingSecret;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.NetworkRange;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usage.CallRecord;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.policy.IssueKeys.Issued;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes agent keys, their caps and their calls (docs/reference/keys.md and agent-api.md, whoami and usage). */
public final class KeyJson {

    private KeyJson() {}

    /** Writes a key with its secret, which is shown only once. */
    public static void issued(JsonWriter out, Issued issued) {
        out.id("agentKeyId", issued.key().id()).text("key", issued.credential().reveal());
        description(out, issued.key());
    }

    /** Writes a key without its secret. */
    public static void write(JsonWriter out, AgentKey key) {
        out.id("agentKeyId", key.id());
        description(out, key);
    }

    /** Writes a key without its secret, and how much of its caps is used today. */
    public static void inUse(JsonWriter out, AgentKey key, CapUsage used) {
        write(out, key);
        out.object(
                "usedToday",
                used,
                (nested, it) -> nested.integer("calls", it.calls())
                        .number("usd", it.usd())
                        .number("aum", it.aum()));
    }

    private static void description(JsonWriter out, AgentKey key) {
        EndingSecret previous = key.previous();
        out.text("name", key.name())
                .text("keyType", key.type().wireName())
                .texts("scopes", sorted(key.scopes()), Scope::wireName)
                .object("policy", key.policy(), KeyJson::caps)
                .text("last4", key.client() == null ? key.last4() : null)
                .object(
                        "client",
                        key.client(),
                        (nested, it) -> nested.text("id", it.id()).text("host", it.host()))
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
        out.integer("callsRemainingToday", calls == null ? null : Math.max(0, calls - used.calls()))
                .number("usdRemainingToday", rest(policy.dailyUsdCap(), used.usd()))
                .number("aumRemainingUsd", rest(policy.aumCapUsd(), used.aum()))
                .truth("paused", policy.isPaused());
    }

    private static void caps(JsonWriter out, KeyPolicy policy) {
        out.integer("dailyCallCap", policy.dailyCallCap())
                .number("dailyUsdCap", policy.dailyUsdCap())
                .number("aumCapUsd", policy.aumCapUsd())
                .texts("allowedAssets", sorted(policy.allowedAssets()), AssetSymbol::value)
                .texts("allowedAssetTypes", sorted(policy.allowedAssetTypes()), AssetType::wireName);
    }

    private static @Nullable Usd rest(@Nullable Usd cap, Usd used) {
        return cap == null ? null : cap.minus(used).max(Usd.ZERO);
    }

    /** Writes who a key belongs to and what it may do. */
    public static void write(JsonWriter out, AgentKey key, RateBudget budget) {
        out.text("userId", key.userId().toString())
                .texts("scopes", sorted(key.scopes()), Scope::wireName)
                .text("keyType", key.type().wireName())
                .object(
                        "rateLimit",
                        budget,
                        (nested, it) -> nested.integer("perSecond", it.perSecond())
                                .integer("remainingThisSecond", it.remaining())
                                .integer("resetSeconds", it.resetSeconds()))
                .text("productLine", "Agent Policy");
    }

    /** Writes a summary of calls. */
    public static void write(JsonWriter out, UsageReport report) {
        out.instant("since", report.since())
                .object(
                        "totals",
                        report.totals(),
                        (totals, it) -> totals.integer("total", it.total())
                                .integer("errors", it.errors())
                                .integer("p50Latency", it.p50Millis())
                                .integer("p95Latency", it.p95Millis()))
                .array(
                        "series",
                        report.series(),
                        (day, it) -> day.id("day", it.day())
                                .integer("total", it.total())
                                .integer("errors", it.errors()))
                .array(
                        "topPaths",
                        report.topPaths(),
                        (path, it) -> path.text("path", it.path()).integer("count", it.count()))
                .array(
                        "topKeys",
                        report.topKeys(),
                        (key, it) -> key.id("agentKeyId", it.agentKeyId()).integer("count", it.count()))
                .array("recent", report.recent(), KeyJson::call);
    }

    private static void call(JsonWriter out, CallRecord call) {
        out.text("agentKeyId", call.agentKeyId().toString())
                .text("path", call.path())
                .integer("status", call.status())
                .integer("latencyMs", TimeUnit.MICROSECONDS.toMillis(call.latencyMicros()))
                .instant("createdAt", call.at());
    }
}
