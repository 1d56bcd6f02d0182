package dev.agentpolicy.domain.trade;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Well-known assets with their sleeves and aliases (docs/reference/rules.md, Asset
 * identity). Immutable; a look-up is one hash map access.
 */
public final class AssetDirectory {
    /** How many of the largest crypto assets are listed even if a fund or share has the same symbol. */
    public static final int LARGEST_CRYPTO = 20;

    private static final AssetDirectory BUILT_IN =
            read(ResourceBundle.getBundle("dev.agentpolicy.domain.trade.assets", Locale.ROOT));

    private final List<Entry> entries;
    private final Map<AssetSymbol, Entry> bySpelling;

    private AssetDirectory(List<Entry> entries) {
        this.entries = List.copyOf(entries);
        this.bySpelling = new HashMap<>();
        for (Entry entry : entries) {
            add(entry.symbol, entry);
            entry.aliases.forEach(alias -> add(alias, entry));
        }
    }

    /**
     * One asset.
     *
     * @param symbol its canonical symbol
     * @param assetType its sleeve
     * @param aliases other symbols for the same asset
     */
    public record Entry(AssetSymbol symbol, AssetType assetType, List<AssetSymbol> aliases) {
        public Entry {
            aliases = List.copyOf(aliases);
        }
    }

    /** The directory of this library. */
    public static AssetDirectory builtIn() {
        return BUILT_IN;
    }

    /** The asset of a symbol or an alias, or null. */
    public @Nullable Entry find(AssetSymbol spelling) {
        return bySpelling.get(spelling);
    }

    /** All assets: crypto assets by size, then funds and shares. */
    public List<Entry> entries() {
        return entries;
    }

    @SuppressWarnings("StringSplitter") // The file has no empty entries.
    private static AssetDirectory read(ResourceBundle file) {
        List<Entry> entries = new ArrayList<>();
        for (AssetType type : AssetType.values()) {
            for (String word : file.getString(type.wireName()).split(" +")) {
                List<AssetSymbol> spellings =
                        List.of(word.split(":")).stream().map(AssetSymbol::new).toList();
                entries.add(new Entry(spellings.get(0), type, spellings.subList(1, spellings.size())));
            }
        }
        return new AssetDirectory(entries);
    }

    /** @throws IllegalStateException when two assets have the same spelling */
    private void add(AssetSymbol spelling, Entry entry) {
        if (bySpelling.put(spelling, entry) != null) {
            throw new IllegalStateException("The asset directory lists " + spelling + " twice.");
        }
    }
}
