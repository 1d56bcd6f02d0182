package dev.agentpolicy.domain.ips;

import dev.agentpolicy.domain.document.Word;
import dev.agentpolicy.domain.trade.AssetSymbol;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What agents may do with each asset.
 *
 * @param standard the level of every asset that is not listed
 * @param assets the levels of listed assets
 */
public record AssetAuthority(Level standard, SortedMap<AssetSymbol, Level> assets) {
    public static final AssetAuthority FULL = new AssetAuthority(Level.FULL, new TreeMap<>());

    public AssetAuthority {
        assets = Collections.unmodifiableSortedMap(new TreeMap<>(assets));
    }

    public AssetAuthority(Level standard, Map<AssetSymbol, Level> assets) {
        this(standard, new TreeMap<>(assets));
    }

    public Level of(AssetSymbol asset) {
        return assets.getOrDefault(asset, standard);
    }

    /** What agents may do with an asset. */
    public enum Level implements Word {
        /** Buy and sell. */
        FULL,
        /** Buy, but not sell. */
        PROTECT,
        /** Neither buy nor sell. */
        MONITOR
    }
}
