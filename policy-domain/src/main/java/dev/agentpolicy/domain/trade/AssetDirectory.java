package dev.agentpolicy.domain.trade;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Well-known assets with their sleeves and the other spellings of their symbols (docs/reference/rules.md, Asset
 * identity). Immutable; a look-up is one hash map access.
 */
public final class AssetDirectory {
    /** Of the crypto assets, which are listed by size, those that are listed although a fund or share has their symbol. */
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

    /** The directory that comes with the service. */
    public static AssetDirectory builtIn() {
        return BUILT_IN;
    }

    /** The asset that a symbol or an alias names, null when the directory has none. */
    public @Nullable Entry find(AssetSymbol spelling) {
        return bySpelling.get(spelling);
    }

    /** Every asset: the crypto assets from the largest on, then funds and shares. */
    public List<Entry> entries() {
        return entries;
    }

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

    /** @throws IllegalStateException when a symbol stands for two assets */
    private void add(AssetSymbol spelling, Entry entry) {
        if (bySpelling.put(spelling, entry) != null) {
            throw new IllegalStateException("The asset directory lists " + spelling + " twice.");
        }
    }
}
