package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.agent.FlowCounts.FlowAmount;
import dev.agentpolicy.domain.agent.FlowCounts.LimitStanding;
import dev.agentpolicy.domain.event.passkey.ChangeProtection.DroppedIps;
import dev.agentpolicy.domain.event.passkey.ScheduledIps;
import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.ApprovalCounts;
import dev.agentpolicy.domain.ips.ApprovalCounts.ApprovalUse;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.portfolio.Utilization;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.UnknownAssets;
import dev.agentpolicy.domain.usecase.agent.ReadState.IpsInForce;
import dev.agentpolicy.domain.usecase.agent.ReadState.Mandate;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes an IPS in the form that a user may send back (docs/reference/ips.md), and as it applies to a key
 * (docs/reference/agent-api.md, mandate).
 */
public final class IpsJson {
    /** Members that describe a version and are not part of its document. They are ignored when a policy is sent. */
    public static final List<String> OF_THE_VERSION = List.of(
            "ipsVersion", "createdAt", "paused", "drawdownSince", "scheduled", "droppedScheduled", "endedScheduled");

    private static final int DAY_LETTERS = 3;

    /** Without a policy nothing is allowed; an agent can only monitor. */
    private static final AssetAuthority WATCH_ONLY = new AssetAuthority(Level.MONITOR, Map.of());

    private IpsJson() {}

    /** Members that say what is used of an approval. They are ignored, likewise. */
    public static final List<String> OF_THE_USE = List.of("used", "left");

    /** Writes a version: its number, its time, and the members of its document. */
    public static void write(JsonWriter out, IpsVersion version) {
        write(out, version, version.ips().approvals(), IpsJson::approval);
    }

    /** Writes the version in force, and what is used of its approvals. */
    public static void write(JsonWriter out, IpsVersion version, ApprovalCounts approvals) {
        List<ApprovalUse> uses =
                version.ips().approvals().stream().map(approvals::of).toList();
        write(out, version, uses, IpsJson::approval);
    }

    private static <T> void write(
            JsonWriter out, IpsVersion version, List<T> approvals, BiConsumer<JsonWriter, T> approval) {
        Ips ips = version.ips();
        out.integer("ipsVersion", version.version()).instant("createdAt", version.createdAt());
        bands(out, ips);
        permissions(out, ips);
        out.array("limits", ips.limits(), IpsJson::limit)
                .array("approvals", approvals, approval)
                .truth("paused", ips.isPaused())
                .present("drawdownSince", ips.drawdownSince(), JsonWriter::instant)
                .integer("tier", ips.tier());
    }

    /** Writes the version in force, what is used of its approvals, and the policy that waits or was dropped. */
    public static void write(JsonWriter out, IpsInForce inForce) {
        write(out, inForce.version(), inForce.approvals());
        DroppedIps dropped = inForce.protection().dropped();
        out.presentObject("scheduled", inForce.protection().scheduled(), IpsJson::scheduled)
                .presentObject(
                        "droppedScheduled",
                        dropped,
                        (nested, it) -> nested.instant("scheduledAt", it.scheduledAt())
                                .instant("droppedAt", it.droppedAt())
                                .text("reason", it.reason()));
    }

    /** Writes what became of a policy that was put: the version in force, or the policy that waits. */
    public static void write(JsonWriter out, Amended amended) {
        if (amended.scheduled() == null) {
            write(out, amended.version(), amended.approvals());
        } else {
            out.object("scheduled", amended.scheduled(), IpsJson::scheduled);
        }
        if (amended.endedScheduled()) {
            out.truth("endedScheduled", true);
        }
    }

    private static void scheduled(JsonWriter out, ScheduledIps scheduled) {
        out.instant("scheduledAt", scheduled.scheduledAt())
                .instant("effectiveAt", scheduled.effectiveAt())
                .object("document", scheduled, IpsJson::document);
    }

    /** Writes a statement as it was sent: without approvals where it keeps those in force. */
    private static void document(JsonWriter out, ScheduledIps scheduled) {
        Ips ips = scheduled.statement();
        bands(out, ips);
        permissions(out, ips);
        out.array("limits", ips.limits(), IpsJson::limit);
        if (!scheduled.keepsApprovals()) {
            out.array("approvals", ips.approvals(), IpsJson::approval);
        }
        out.integer("tier", ips.tier());
    }

    /** Writes a version without its document. */
    public static void listed(JsonWriter out, ListedIpsVersion version) {
        out.integer("ipsVersion", version.version()).instant("createdAt", version.createdAt());
    }

    /** Writes what agents may do: actions, levels for each asset, and standing rules. The limits of a key stand elsewhere. */
    static void permissions(JsonWriter out, Ips ips) {
        out.texts("allowedActions", sorted(ips.allowedActions()), Action::wireName)
                .object("assetAuthority", ips.assetAuthority(), IpsJson::authority)
                .array("standingRules", ips.standingRules(), IpsJson::rule)
                .text("unknownAssets", ips.unknownAssets().wireName());
    }

    /** Writes an approval; what it leaves open is absent. */
    static void approval(JsonWriter out, Approval approval) {
        out.text("ruleId", approval.ruleId())
                .present("agentKeyId", approval.agentKeyId(), JsonWriter::id)
                .present("action", approval.action(), (to, name, action) -> to.text(name, action.wireName()))
                .present("symbol", approval.symbol(), (to, name, symbol) -> to.text(name, symbol.value()))
                .present("maxAmountUsd", approval.maxAmountUsd(), JsonWriter::number)
                .instant("until", approval.until())
                .present("maxUses", approval.maxUses(), JsonWriter::integer)
                .present("maxTotalUsd", approval.maxTotalUsd(), JsonWriter::number);
    }

    /** Writes an approval and, if it counts the proposals that need it, what is used of it and left. */
    private static void approval(JsonWriter out, ApprovalUse use) {
        approval(out, use.approval());
        if (use.approval().isCounted()) {
            out.object("used", use, (to, it) -> to.integer("uses", it.uses()).number("usd", it.usd()))
                    .object(
                            "left",
                            use,
                            (to, it) -> to.integer("uses", it.usesLeft()).number("usd", it.usdLeft()));
        }
    }

    static void authority(JsonWriter out, AssetAuthority authority) {
        out.text("default", authority.standard().wireName())
                .object(
                        "assets",
                        authority.assets(),
                        (members, assets) ->
                                assets.forEach((asset, level) -> members.text(asset.value(), level.wireName())));
    }

    private static void bands(JsonWriter out, Ips ips) {
        out.object("crypto", ips.crypto(), IpsJson::band)
                .object("tradfi", ips.tradfi(), IpsJson::band)
                .number("cashFloor", ips.cashFloor())
                .number("maxDrawdown", ips.maxDrawdown())
                .number("maxSlippage", ips.maxSlippage());
    }

    private static void band(JsonWriter out, AllocationBand band) {
        out.number("min", band.min()).number("target", band.target()).number("max", band.max());
    }

    static void rule(JsonWriter out, StandingRule rule) {
        out.text("id", rule.id())
                .text("effect", rule.effect().wireName())
                .present("reason", rule.reason(), JsonWriter::text)
                .object("when", rule.when(), IpsJson::when);
    }

    /** Writes a limit with the members of its kind. */
    static void limit(JsonWriter out, Limit limit) {
        out.text("id", limit.id())
                .text("kind", limit.kind().wireName())
                .text("effect", limit.effect().wireName())
                .present("reason", limit.reason(), JsonWriter::text)
                .object("scope", limit.scope(), IpsJson::when)
                .present("windowDays", limit.windowDays(), JsonWriter::integer)
                .present("max", limit.max(), JsonWriter::number);
        if (limit.isFlow()) {
            out.integer("windowMinutes", limit.flow().windowMinutes())
                    .present("maxUsd", limit.maxUsd(), JsonWriter::number)
                    .present("maxTrades", limit.maxTrades(), JsonWriter::integer)
                    .text("per", limit.flow().per().wireName());
        } else if (limit.windowDays() == null) {
            out.truth("perAsset", limit.perAsset());
        }
    }

    /** Writes a limit and how it stands; {@code used}, {@code left} and {@code freesAt} are null where nothing is counted. */
    static void standing(JsonWriter out, LimitStanding standing) {
        limit(out, standing.limit());
        out.object("used", standing.used(), IpsJson::amount)
                .object("left", standing.left(), IpsJson::amount)
                .instant("freesAt", standing.freesAt())
                .present("actual", standing.actual(), JsonWriter::number);
    }

    private static void amount(JsonWriter out, FlowAmount amount) {
        out.number("usd", amount.usd()).integer("trades", amount.trades());
    }

    /** Writes only the conditions that are set; an absent one always holds. */
    private static void when(JsonWriter out, When when) {
        presentTexts(out, "actions", when.actions(), Action::wireName);
        presentTexts(out, "assetTypes", when.assetTypes(), AssetType::wireName);
        presentTexts(out, "symbols", when.symbols(), AssetSymbol::value);
        out.present("amountUsdAbove", when.amountUsdAbove(), JsonWriter::number)
                .presentObject(
                        "hours",
                        when.hours(),
                        (hours, it) -> hours.integer("start", it.start())
                                .integer("end", it.end())
                                .text("tz", it.zone().getId()));
        presentTexts(out, "daysOfWeek", when.daysOfWeek(), day -> day.name().substring(0, DAY_LETTERS));
    }

    private static <T extends Comparable<? super T>> void presentTexts(
            JsonWriter out, String name, @Nullable Collection<T> values, Function<T, String> text) {
        out.present(name, sorted(values), (to, it, sorted) -> to.texts(it, sorted, text));
    }

    /** Sorts values, so that equal policies are equal texts. */
    static <T extends Comparable<? super T>> @Nullable List<T> sorted(@Nullable Collection<T> values) {
        return values == null ? null : values.stream().sorted().toList();
    }

    /** Writes the policy as it applies to a key. */
    public static void write(JsonWriter out, Mandate mandate) {
        IpsVersion version = mandate.ips();
        Ips ips = version == null ? null : version.ips();
        Snapshot snapshot = mandate.holdings().snapshot();
        out.truth("hasIps", version != null)
                .integer("ipsVersion", version == null ? null : version.version())
                .integer("tier", ips == null ? null : ips.tier())
                .object("limits", ips, IpsJson::limits)
                .object("snapshot", snapshot, DecisionJson::snapshot);
        DecisionJson.stale(out, mandate.holdings().stale());
        out.object(
                "utilization",
                ips == null || snapshot == null ? null : Utilization.of(snapshot, ips),
                IpsJson::utilization);
        if (ips == null) {
            out.texts("allowedActions", List.<Action>of(), Action::wireName)
                    .object("assetAuthority", WATCH_ONLY, IpsJson::authority)
                    .texts("standingRules", List.<String>of(), rule -> rule)
                    .text("unknownAssets", UnknownAssets.AS_SAID.wireName())
                    .texts("approvals", List.<String>of(), approval -> approval)
                    .truth("paused", false);
        } else {
            permissions(out, ips);
            out.array("approvals", mandate.approvals(), IpsJson::approval).truth("paused", ips.isPaused());
        }
        out.array("policyLimits", mandate.limits(), IpsJson::standing);
        out.object(
                "keyPolicy",
                mandate.key().policy(),
                (nested, policy) -> KeyJson.capsAndRest(nested, policy, mandate.used()));
    }

    private static void limits(JsonWriter out, Ips ips) {
        out.number("cryptoMin", ips.crypto().min())
                .number("cryptoTarget", ips.crypto().target())
                .number("cryptoMax", ips.crypto().max())
                .number("tradfiMin", ips.tradfi().min())
                .number("tradfiTarget", ips.tradfi().target())
                .number("tradfiMax", ips.tradfi().max())
                .number("cashFloor", ips.cashFloor())
                .number("maxDrawdown", ips.maxDrawdown())
                .number("maxSlippage", ips.maxSlippage());
    }

    private static void utilization(JsonWriter out, Utilization utilization) {
        out.number("cryptoUsedPct", utilization.cryptoUsed())
                .number("tradfiUsedPct", utilization.tradfiUsed())
                .number("driftFromTarget", utilization.cryptoDrift())
                .number("tradfiDriftFromTarget", utilization.tradfiDrift())
                .number("drawdownHeadroomPct", utilization.drawdownHeadroom());
    }
}
