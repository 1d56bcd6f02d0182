package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.portfolio.Utilization;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.UnknownAssets;
import dev.agentpolicy.domain.usecase.agent.ReadState.Mandate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the policy as it applies to a key (docs/reference/agent-api.md, mandate). */
public final class MandateJson {
    /** Without a policy nothing is allowed; an agent can only monitor. */
    private static final AssetAuthority WATCH_ONLY = new AssetAuthority(Level.MONITOR, Map.of());

    private MandateJson() {}

    public static void write(JsonWriter out, Mandate mandate) {
        IpsVersion version = mandate.ips();
        Ips ips = version == null ? null : version.ips();
        Snapshot snapshot = mandate.holdings().snapshot();
        out.truth("hasIps", version != null)
                .integer("ipsVersion", version == null ? null : version.version())
                .integer("tier", ips == null ? null : ips.tier())
                .object("limits", ips, MandateJson::limits)
                .object("snapshot", snapshot, DecisionJson::snapshot);
        DecisionJson.stale(out, mandate.holdings().stale());
        out.object(
                "utilization",
                ips == null || snapshot == null ? null : Utilization.of(snapshot, ips),
                MandateJson::utilization);
        if (ips == null) {
            out.texts("allowedActions", List.<Action>of(), Action::wireName)
                    .object("assetAuthority", WATCH_ONLY, IpsJson::authority)
                    .texts("standingRules", List.<String>of(), rule -> rule)
                    .text("unknownAssets", UnknownAssets.AS_SAID.wireName())
                    .texts("approvals", List.<String>of(), approval -> approval)
                    .truth("paused", false);
        } else {
            IpsJson.permissions(out, ips);
            out.array("approvals", mandate.approvals(), IpsJson::approval).truth("paused", ips.isPaused());
        }
        out.object(
                "keyPolicy",
                mandate.key().policy(),
                (nested, policy) -> KeyJson.capsAndRest(nested, policy, mandate.used()));
    }

    private static void limits(JsonWriter out, Ips ips) {
        out.number("cryptoMin", ips.crypto().min().value())
                .number("cryptoTarget", ips.crypto().target().value())
                .number("cryptoMax", ips.crypto().max().value())
                .number("tradfiMin", ips.tradfi().min().value())
                .number("tradfiTarget", ips.tradfi().target().value())
                .number("tradfiMax", ips.tradfi().max().value())
                .number("cashFloor", ips.cashFloor().value())
                .number("maxDrawdown", ips.maxDrawdown().value())
                .number("maxSlippage", ips.maxSlippage().value());
    }

    private static void utilization(JsonWriter out, Utilization utilization) {
        out.number("cryptoUsedPct", value(utilization.cryptoUsed()))
                .number("tradfiUsedPct", value(utilization.tradfiUsed()))
                .number("driftFromTarget", utilization.cryptoDrift().value())
                .number("tradfiDriftFromTarget", utilization.tradfiDrift().value())
                .number("drawdownHeadroomPct", utilization.drawdownHeadroom().value());
    }

    private static @Nullable BigDecimal value(@Nullable Fraction fraction) {
        return fraction == null ? null : fraction.value();
    }
}
