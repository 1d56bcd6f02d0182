package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Resolves symbols in one account (docs/reference/rules.md, Asset identity) to the canonical symbol of the asset and
 * its sleeve. The sleeve comes from the account or the directory; the call is believed only for unknown assets.
 *
 * <p>Resolving a canonical symbol takes a few hash map look-ups.
 */
public final class AssetResolver {
    private static final List<String> QUOTES = List.of("USD", "USDT", "USDC");

    private final AssetDirectory directory;
    private final AccountAssets account;

    public AssetResolver(AssetDirectory directory, AccountAssets account) {
        this.directory = directory;
        this.account = account;
    }

    /** A resolver that knows the built-in directory only. */
    public static AssetResolver ofDirectory() {
        return new AssetResolver(AssetDirectory.builtIn(), AccountAssets.NONE);
    }

    /**
     * Resolves the asset of a trade.
     *
     * @param spelling the symbol in upper case
     * @param said the sleeve in the call, used only for an unknown asset
     * @param sent the symbol as the agent wrote it
     */
    public ResolvedAsset resolve(AssetSymbol spelling, AssetType said, String sent) {
        AssetSymbol symbol = canonical(spelling);
        AssetType type = account.held(symbol);
        if (type != null) {
            return new ResolvedAsset(symbol, sent, type, Source.HELD);
        }
        type = account.listed(symbol);
        if (type != null) {
            return new ResolvedAsset(symbol, sent, type, Source.LISTED);
        }
        Entry entry = entry(symbol);
        return entry != null
                ? new ResolvedAsset(symbol, sent, entry.assetType(), Source.DIRECTORY)
                : new ResolvedAsset(symbol, sent, said, Source.SAID);
    }

    /** The canonical symbol of an asset: no alias, and without quote currency and trailing separators. */
    public AssetSymbol canonical(AssetSymbol spelling) {
        AssetSymbol symbol = spelling;
        while (true) {
            Entry entry = directory.find(symbol);
            if (entry != null) {
                return entry.symbol().equals(symbol) || isOfTheAccount(symbol) ? symbol : entry.symbol();
            }
            AssetSymbol shorter = isOfTheAccount(symbol) ? null : shortened(symbol.value());
            if (shorter == null) {
                return symbol;
            }
            symbol = shorter;
        }
    }

    /**
     * The canonical symbols of one list of a document.
     *
     * @param field path of the list
     * @return the symbols; two spellings of one asset are a problem
     */
    public Reading<Set<AssetSymbol>> canonical(String field, Collection<AssetSymbol> spellings) {
        Map<AssetSymbol, AssetSymbol> found = new TreeMap<>();
        for (AssetSymbol spelling : spellings) {
            AssetSymbol symbol = canonical(spelling);
            AssetSymbol other = found.put(symbol, spelling);
            if (other != null && !other.equals(spelling)) {
                return Reading.wrong(List.of(twice(field, symbol, other, spelling)));
            }
        }
        return Reading.of(found.keySet());
    }

    /** The problem of two spellings of one asset in a list. */
    static Problem twice(String field, AssetSymbol symbol, AssetSymbol one, AssetSymbol other) {
        return new Problem(
                field,
                field + " lists " + symbol + " twice: " + one + " and " + other + " are spellings of one asset.");
    }

    /** The directory entry of a symbol. An older statement may name an alias or a pair; then that of its asset. */
    private @Nullable Entry entry(AssetSymbol symbol) {
        Entry entry = directory.find(symbol);
        return entry != null || !account.isNamed(symbol)
                ? entry
                : directory.find(new AssetResolver(directory, AccountAssets.NONE).canonical(symbol));
    }

    /** The symbol without trailing separators or else without its quote currency; null when it has neither. */
    private @Nullable AssetSymbol shortened(String symbol) {
        int end = symbol.length();
        while (end > 0 && isSeparator(symbol.charAt(end - 1))) {
            end--;
        }
        if (end == 0) {
            return null;
        }
        return end < symbol.length() ? new AssetSymbol(symbol.substring(0, end)) : withoutQuote(symbol);
    }

    private @Nullable AssetSymbol withoutQuote(String symbol) {
        for (String quote : QUOTES) {
            int end = symbol.length() - quote.length();
            if (end > 0 && symbol.endsWith(quote)) {
                AssetSymbol base = base(symbol, end);
                boolean isPair = isSeparator(symbol.charAt(end - 1)) || base != null && mayBeCrypto(base);
                return isPair ? base : null;
            }
        }
        return null;
    }

    /** The text before an index, without trailing separators; null when it is empty. */
    private static @Nullable AssetSymbol base(String symbol, int before) {
        int end = before;
        while (end > 0 && isSeparator(symbol.charAt(end - 1))) {
            end--;
        }
        return end == 0 ? null : new AssetSymbol(symbol.substring(0, end));
    }

    /** Whether an asset is known as crypto, or named by the statement and not known as tradfi. So FOOUSD cannot evade a rule
     * about FOO. */
    private boolean mayBeCrypto(AssetSymbol symbol) {
        ResolvedAsset asset = resolve(symbol, AssetType.CRYPTO, symbol.value());
        return asset.assetType() == AssetType.CRYPTO && (asset.isKnown() || account.isNamed(asset.symbol()));
    }

    private boolean isOfTheAccount(AssetSymbol symbol) {
        return account.held(symbol) != null || account.listed(symbol) != null || account.isNamed(symbol);
    }

    private static boolean isSeparator(char c) {
        return c == '.' || c == '-' || c == '/' || c == '_';
    }
}
