package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.TradePayload;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and writes the caps of a key (docs/reference/keys.md). */
public final class KeyPolicyDocument {
    private static final int MAX_ASSETS = 200;

    private KeyPolicyDocument() {}

    /** Reads the caps from the fields of a document. */
    public static KeyPolicy read(Fields fields) {
        Integer calls = fields.integer("dailyCallCap", 0, Integer.MAX_VALUE);
        Usd usd = usd(fields, "dailyUsdCap");
        Usd aum = usd(fields, "aumCapUsd");
        Set<AssetSymbol> assets = fields.has("allowedAssets")
                ? Set.copyOf(fields.texts("allowedAssets", MAX_ASSETS, AssetSymbol.EXPECTED, AssetSymbol::of))
                : null;
        AssetType[] types = AssetType.values();
        Set<AssetType> sleeves = fields.has("allowedAssetTypes")
                ? Set.copyOf(fields.words("allowedAssetTypes", types.length, types, AssetType::wireName))
                : null;
        return new KeyPolicy(calls, usd, aum, assets, sleeves);
    }

    /** Reads the caps from a signed payload, where decimals are text. */
    public static KeyPolicy readSigned(Document signed) {
        Fields fields = new Fields(signed, Decimals.TEXT);
        KeyPolicy policy = read(fields);
        return fields.finish(() -> policy).orElseThrow();
    }

    /** The caps as members of a signed payload. */
    public static Map<String, @Nullable Object> toSigned(KeyPolicy policy) {
        Set<AssetSymbol> assets = policy.allowedAssets();
        Set<AssetType> types = policy.allowedAssetTypes();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("dailyCallCap", policy.dailyCallCap());
        members.put("dailyUsdCap", text(policy.dailyUsdCap()));
        members.put("aumCapUsd", text(policy.aumCapUsd()));
        members.put(
                "allowedAssets",
                assets == null
                        ? null
                        : assets.stream().map(AssetSymbol::value).sorted().toList());
        members.put(
                "allowedAssetTypes",
                types == null
                        ? null
                        : types.stream().sorted().map(AssetType::wireName).toList());
        return members;
    }

    private static @Nullable Usd usd(Fields fields, String name) {
        BigDecimal value =
                fields.decimal(name, BigDecimal.ZERO, TradePayload.MAX_AMOUNT_USD, TradePayload.MAX_AMOUNT_DECIMALS);
        return value == null ? null : new Usd(value);
    }

    private static @Nullable String text(@Nullable Usd amount) {
        return amount == null ? null : Decimals.text(amount.value());
    }
}
