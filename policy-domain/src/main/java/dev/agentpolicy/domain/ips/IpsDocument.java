package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads IPS documents (docs/reference/ips.md), as users send them or as the log holds them. */
public final class IpsDocument {
    public static final int MAX_ASSETS = 500;
    public static final int MAX_STANDING_RULES = 50;
    private static final int MAX_DECIMALS = Fraction.REPORTED_PLACES;
    private static final int MAX_TIER = 5;

    private IpsDocument() {}

    /** Reads a statement that a user sent. */
    public static Reading<Ips> read(Document sent) {
        return read(sent, Decimals.NUMBERS, IpsDocument::sentAssets);
    }

    /** Reads the statement of a signed payload, with decimals as text and asset levels as a sorted array. */
    public static Reading<Ips> readSigned(Document signed) {
        return read(signed, Decimals.TEXT, IpsDocument::signedAssets);
    }

    private static Reading<Ips> read(
            Document document, Decimals decimals, Function<Fields, Map<AssetSymbol, Level>> assets) {
        Fields fields = new Fields(document, decimals);
        AllocationBand crypto = fields.object("crypto", IpsDocument::band);
        AllocationBand tradfi = fields.object("tradfi", IpsDocument::band);
        Fraction cashFloor = fraction(fields, "cashFloor");
        Fraction maxDrawdown = fraction(fields, "maxDrawdown");
        Fraction maxSlippage = fraction(fields, "maxSlippage");
        Set<Action> actions = actions(fields);
        AssetAuthority authority = fields.object("assetAuthority", nested -> authority(nested, assets));
        List<StandingRule> rules = StandingRules.read(fields);
        UnknownAssets unknown = fields.word("unknownAssets", UnknownAssets.values(), UnknownAssets::wireName);
        List<Approval> approvals = ApprovalDocument.readAll(fields);
        Boolean isPaused = fields.truth("paused");
        Instant drawdownSince = fields.meaning("drawdownSince", "must be a time", Instants::parse);
        Integer tier = fields.integer("tier", 1, MAX_TIER);
        fields.require("crypto", "tradfi", "cashFloor", "maxDrawdown", "maxSlippage");
        if (crypto != null && tradfi != null && cashFloor != null && fills(crypto, tradfi, cashFloor)) {
            fields.problem("cashFloor", "plus crypto.min plus tradfi.min must be at most 1");
        }
        return fields.finish(() -> Ips.ofCrypto(Fields.present(crypto))
                .tradfi(Fields.present(tradfi))
                .cashFloor(Fields.present(cashFloor))
                .maxDrawdown(Fields.present(maxDrawdown))
                .maxSlippage(Fields.present(maxSlippage))
                .withAllowedActions(actions)
                .withAssetAuthority(authority == null ? AssetAuthority.FULL : authority)
                .withStandingRules(rules)
                .withUnknownAssets(unknown == null ? UnknownAssets.AS_SAID : unknown)
                .withApprovals(approvals)
                .withPaused(isPaused != null && isPaused)
                .withDrawdownSince(drawdownSince)
                .withTier(tier));
    }

    private static boolean fills(AllocationBand crypto, AllocationBand tradfi, Fraction cashFloor) {
        return crypto.min().plus(tradfi.min()).plus(cashFloor).isAbove(Fraction.ONE);
    }

    private static @Nullable AllocationBand band(Fields fields) {
        Fraction min = fraction(fields, "min");
        Fraction target = fraction(fields, "target");
        Fraction max = fraction(fields, "max");
        fields.require("min", "target", "max");
        if (min == null || target == null || max == null) {
            return null;
        }
        if (min.isAbove(target)) {
            fields.problem("min", "must not be above target");
        } else if (target.isAbove(max)) {
            fields.problem("target", "must not be above max");
        }
        return AllocationBand.isOrdered(min, target, max) ? new AllocationBand(min, target, max) : null;
    }

    static @Nullable Fraction fraction(Fields fields, String name) {
        BigDecimal value = fields.decimal(name, BigDecimal.ZERO, BigDecimal.ONE, MAX_DECIMALS);
        return value == null ? null : new Fraction(value);
    }

    private static Set<Action> actions(Fields fields) {
        if (!fields.has("allowedActions")) {
            return EnumSet.allOf(Action.class);
        }
        return Set.copyOf(fields.words("allowedActions", Action.values().length, Action.values(), Action::wireName));
    }

    private static AssetAuthority authority(Fields fields, Function<Fields, Map<AssetSymbol, Level>> assets) {
        Level standard = fields.word("default", Level.values(), Level::wireName);
        return new AssetAuthority(standard == null ? Level.FULL : standard, assets.apply(fields));
    }

    private static Map<AssetSymbol, Level> sentAssets(Fields fields) {
        return byAsset(fields, "assets", fields.entries("assets", MAX_ASSETS, (name, members) -> {
            Level level = members.word(name, Level.values(), Level::wireName);
            members.require(name);
            AssetSymbol asset = AssetSymbol.of(name);
            if (asset == null) {
                members.problem(name, AssetSymbol.EXPECTED);
            }
            return entry(asset, level);
        }));
    }

    private static Map<AssetSymbol, Level> signedAssets(Fields fields) {
        return byAsset(fields, "assets", fields.objects("assets", MAX_ASSETS, item -> {
            AssetSymbol asset = item.meaning("symbol", AssetSymbol.EXPECTED, AssetSymbol::of);
            Level level = item.word("level", Level.values(), Level::wireName);
            item.require("symbol", "level");
            return entry(asset, level);
        }));
    }

    private static @Nullable Entry<AssetSymbol, Level> entry(@Nullable AssetSymbol asset, @Nullable Level level) {
        return asset == null || level == null ? null : new SimpleEntry<>(asset, level);
    }

    private static Map<AssetSymbol, Level> byAsset(
            Fields fields, String name, List<Entry<AssetSymbol, Level>> entries) {
        Map<AssetSymbol, Level> byAsset = new TreeMap<>();
        for (Entry<AssetSymbol, Level> entry : entries) {
            if (byAsset.put(entry.getKey(), entry.getValue()) != null) {
                fields.problem(name, "lists " + entry.getKey() + " twice; symbols are compared in upper case");
            }
        }
        return byAsset;
    }
}
