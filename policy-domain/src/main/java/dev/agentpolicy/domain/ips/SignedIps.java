package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes an IPS for the log. {@link IpsDocument#readSigned} reads it back. */
public final class SignedIps {

    private SignedIps() {}

    /** The members of the document; equal statements have equal members. */
    public static Map<String, @Nullable Object> of(Ips ips) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("crypto", band(ips.crypto()));
        members.put("tradfi", band(ips.tradfi()));
        members.put("cashFloor", text(ips.cashFloor()));
        members.put("maxDrawdown", text(ips.maxDrawdown()));
        members.put("maxSlippage", text(ips.maxSlippage()));
        members.put("allowedActions", sorted(ips.allowedActions(), action -> action.wireName()));
        members.put("assetAuthority", authority(ips.assetAuthority()));
        members.put(
                "standingRules",
                ips.standingRules().stream().map(SignedIps::rule).toList());
        if (ips.unknownAssets() != UnknownAssets.AS_SAID) {
            // Omitted by default, as in statements stored before this member existed.
            members.put("unknownAssets", ips.unknownAssets().wireName());
        }
        if (!ips.approvals().isEmpty()) {
            members.put(
                    "approvals",
                    ips.approvals().stream().map(ApprovalDocument::toSigned).toList());
        }
        if (ips.isPaused()) {
            members.put("paused", true);
        }
        Instant drawdownSince = ips.drawdownSince();
        if (drawdownSince != null) {
            members.put("drawdownSince", Instants.format(drawdownSince));
        }
        members.put("tier", ips.tier());
        return members;
    }

    private static Map<String, @Nullable Object> band(AllocationBand band) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("min", text(band.min()));
        members.put("target", text(band.target()));
        members.put("max", text(band.max()));
        return members;
    }

    private static Map<String, @Nullable Object> authority(AssetAuthority authority) {
        List<Map<String, String>> assets = new ArrayList<>();
        authority
                .assets()
                .forEach((asset, level) -> assets.add(Map.of("symbol", asset.value(), "level", level.wireName())));
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("default", authority.standard().wireName());
        members.put("assets", assets);
        return members;
    }

    private static Map<String, @Nullable Object> rule(StandingRule rule) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", rule.id());
        members.put("effect", rule.effect().wireName());
        members.put("reason", rule.reason());
        members.put("when", when(rule.when()));
        return members;
    }

    /** Only the conditions that are set; an absent condition means any. */
    private static Map<String, @Nullable Object> when(When when) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        putSorted(members, "actions", when.actions(), action -> action.wireName());
        putSorted(members, "assetTypes", when.assetTypes(), type -> type.wireName());
        putSorted(members, "symbols", when.symbols(), symbol -> symbol.value());
        if (when.amountUsdAbove() != null) {
            members.put("amountUsdAbove", Decimals.text(when.amountUsdAbove().value()));
        }
        Hours hours = when.hours();
        if (hours != null) {
            members.put(
                    "hours",
                    Map.of(
                            "start",
                            hours.start(),
                            "end",
                            hours.end(),
                            "tz",
                            hours.zone().getId()));
        }
        putSorted(members, "daysOfWeek", when.daysOfWeek(), StandingRules::wireName);
        return members;
    }

    private static <T extends Comparable<? super T>> void putSorted(
            Map<String, @Nullable Object> members,
            String name,
            @Nullable Collection<T> values,
            Function<T, String> wireName) {
        if (values != null) {
            members.put(name, sorted(values, wireName));
        }
    }

    private static <T extends Comparable<? super T>> List<String> sorted(
            Collection<T> values, Function<T, String> wireName) {
        return values.stream().sorted().map(wireName).toList();
    }

    private static String text(Fraction fraction) {
        return Decimals.text(fraction.value());
    }
}
