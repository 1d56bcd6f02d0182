package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes an IPS in the form that a user may send back (docs/reference/ips.md). */
public final class IpsJson {
    /** Members that describe a version and are not part of its document. They are ignored when a policy is sent. */
    public static final List<String> OF_THE_VERSION = List.of("ipsVersion", "createdAt", "paused", "drawdownSince");

    private static final int DAY_LETTERS = 3;

    private IpsJson() {}

    /** Writes a version: its number, its time, and the members of its document. */
    public static void write(JsonWriter out, IpsVersion version) {
        Ips ips = version.ips();
        out.integer("ipsVersion", version.version()).instant("createdAt", version.createdAt());
        out.object("crypto", ips.crypto(), IpsJson::band)
                .object("tradfi", ips.tradfi(), IpsJson::band)
                .number("cashFloor", ips.cashFloor().value())
                .number("maxDrawdown", ips.maxDrawdown().value())
                .number("maxSlippage", ips.maxSlippage().value());
        permissions(out, ips);
        out.array("approvals", ips.approvals(), IpsJson::approval)
                .truth("paused", ips.isPaused())
                .present("drawdownSince", ips.drawdownSince(), JsonWriter::instant)
                .integer("tier", ips.tier());
    }

    /** Writes a version without its document. */
    public static void listed(JsonWriter out, ListedIpsVersion version) {
        out.integer("ipsVersion", version.version()).instant("createdAt", version.createdAt());
    }

    /** Writes what agents may do: actions, levels for each asset, and standing rules. */
    static void permissions(JsonWriter out, Ips ips) {
        out.texts("allowedActions", sorted(ips.allowedActions()), Action::wireName)
                .object("assetAuthority", ips.assetAuthority(), IpsJson::authority)
                .array("standingRules", ips.standingRules(), IpsJson::rule)
                .text("unknownAssets", ips.unknownAssets().wireName());
    }

    /** Writes an approval; what it leaves open is absent. */
    static void approval(JsonWriter out, Approval approval) {
        Usd max = approval.maxAmountUsd();
        out.text("ruleId", approval.ruleId())
                .present("agentKeyId", approval.agentKeyId(), (to, name, key) -> to.text(name, key.toString()))
                .present("action", approval.action(), (to, name, action) -> to.text(name, action.wireName()))
                .present("symbol", approval.symbol(), (to, name, symbol) -> to.text(name, symbol.value()))
                .present("maxAmountUsd", max == null ? null : max.value(), JsonWriter::number)
                .instant("until", approval.until());
    }

    static void authority(JsonWriter out, AssetAuthority authority) {
        out.text("default", authority.standard().wireName())
                .object(
                        "assets",
                        authority.assets(),
                        (members, assets) ->
                                assets.forEach((asset, level) -> members.text(asset.value(), level.wireName())));
    }

    private static void band(JsonWriter out, AllocationBand band) {
        out.number("min", band.min().value())
                .number("target", band.target().value())
                .number("max", band.max().value());
    }

    private static void rule(JsonWriter out, StandingRule rule) {
        out.text("id", rule.id())
                .text("effect", rule.effect().wireName())
                .present("reason", rule.reason(), JsonWriter::text)
                .object("when", rule.when(), IpsJson::when);
    }

    /** Writes only the conditions that are set; an absent one always holds. */
    private static void when(JsonWriter out, When when) {
        Usd above = when.amountUsdAbove();
        if (when.actions() != null) {
            out.texts("actions", sorted(when.actions()), Action::wireName);
        }
        if (when.assetTypes() != null) {
            out.texts("assetTypes", sorted(when.assetTypes()), AssetType::wireName);
        }
        if (when.symbols() != null) {
            out.texts("symbols", sorted(when.symbols()), AssetSymbol::value);
        }
        out.present("amountUsdAbove", above == null ? null : above.value(), JsonWriter::number);
        if (when.hours() != null) {
            out.object("hours", when.hours(), IpsJson::hours);
        }
        if (when.daysOfWeek() != null) {
            out.texts("daysOfWeek", sorted(when.daysOfWeek()), day -> day.name().substring(0, DAY_LETTERS));
        }
    }

    private static void hours(JsonWriter out, Hours hours) {
        out.integer("start", hours.start())
                .integer("end", hours.end())
                .text("tz", hours.zone().getId());
    }

    /** Sorts values, so that equal policies are equal texts. */
    static <T extends Comparable<? super T>> @Nullable List<T> sorted(@Nullable Collection<T> values) {
        return values == null ? null : values.stream().sorted().toList();
    }
}
