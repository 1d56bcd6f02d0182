package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads resolved assets as they are signed and stored. */
public final class ResolvedAssetDocument {

    /** A resolved asset in a document of the log. */
    public static final Codec<ResolvedAsset> CODEC =
            Codec.object(signed -> read(new Stored(signed)), ResolvedAssetDocument::toSigned);

    private ResolvedAssetDocument() {}

    /** The members of a resolved asset. */
    public static Map<String, @Nullable Object> toSigned(ResolvedAsset asset) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("symbol", asset.symbol().value());
        members.put("sent", asset.sent());
        members.put("assetType", asset.assetType().wireName());
        members.put("source", asset.source().wireName());
        AssetPair pair = asset.pair();
        if (pair != null) {
            // Absent for an asset, as in rows recorded before these members existed.
            AssetSymbol quote = pair.quote();
            members.put("base", pair.base().value());
            if (quote != null) {
                members.put("quote", quote.value());
            }
        }
        return members;
    }

    /** Reads what {@link #toSigned} wrote. */
    public static ResolvedAsset read(Stored stored) {
        return new ResolvedAsset(
                new AssetSymbol(stored.text("symbol")),
                stored.text("sent"),
                stored.word("assetType", AssetType.class),
                stored.word("source", Source.class),
                stored.has("base") ? readPair(stored) : null);
    }

    private static AssetPair readPair(Stored stored) {
        String quote = stored.textOrNull("quote");
        return new AssetPair(new AssetSymbol(stored.text("base")), quote == null ? null : new AssetSymbol(quote));
    }
}
