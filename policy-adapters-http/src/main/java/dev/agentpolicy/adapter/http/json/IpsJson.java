package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
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

/** An IPS on the wire, as a user may send it back (contract, section 1). */
public final class IpsJson {
    /** What a version tells beside its document; a user who sends one back may leave these in. */
    public static final List<String> OF_THE_VERSION = List.of("ipsVersion", "createdAt");

    private static final int DAY_LETTERS = 3;

    private IpsJson() {}

    /** A version: its number, its time, and the members of its document. */
    public static void write(JsonWriter out, IpsVersion version) {
        Ips ips = version.ips();
        out.integer("ipsVersion", version.version()).instant("createdAt", version.createdAt());
        out.object("crypto", ips.crypto(), IpsJson::band)
                .object("tradfi", ips.tradfi(), IpsJson::band)
                .number("cashFloor", ips.cashFloor().value())
                .number("maxDrawdown", ips.maxDrawdown().value())
                .number("maxSlippage", ips.maxSlippage().value());
        permissions(out, ips);
        out.integer("tier", ips.tier());
    }

    /** What agents may do at all, with each asset, and by the user's own rules. */
    static void permissions(JsonWriter out, Ips ips) {
        out.texts("allowedActions", sorted(ips.allowedActions()), Action::wireName)
                .object("assetAuthority", ips.assetAuthority(), IpsJson::authority)
                .array("standingRules", ips.standingRules(), IpsJson::rule)
                .text("unknownAssets", ips.unknownAssets().wireName());
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

    /** Only the conditions that are set, as absent means any. */
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

    /** In a fixed order, so that equal statements are equal texts. */
    static <T extends Comparable<? super T>> @Nullable List<T> sorted(@Nullable Collection<T> values) {
        return values == null ? null : values.stream().sorted().toList();
    }
}
