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
 * Finds out what a symbol means in one account (docs/reference/rules.md, Asset identity): the canonical spelling of the
 * asset, and its sleeve, which is a fact of the account and never of the call.
 *
 * <p>A symbol that is spelled canonically costs a few hash map look-ups.
 */
public final class AssetResolver {
    private static final List<String> QUOTES = List.of("USD", "USDT", "USDC");

    private final AssetDirectory directory;
    private final AccountAssets account;

    public AssetResolver(AssetDirectory directory, AccountAssets account) {
        this.directory = directory;
        this.account = account;
    }

    /** By the built-in directory alone. */
    public static AssetResolver ofDirectory() {
        return new AssetResolver(AssetDirectory.builtIn(), AccountAssets.NONE);
    }

    /**
     * What the asset of a trade is taken for.
     *
     * @param spelling the symbol in upper case
     * @param said the sleeve that the call names; believed only of an asset that nobody knows
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

    /** The one spelling of an asset: without a quote currency and trailing separators, and no alias. */
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
     * @return the symbols, or the problem that two entries are spellings of one asset
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

    /** The problem of a list that has two spellings of one asset. */
    static Problem twice(String field, AssetSymbol symbol, AssetSymbol one, AssetSymbol other) {
        return new Problem(
                field,
                field + " lists " + symbol + " twice: " + one + " and " + other + " are spellings of one asset.");
    }

    /** The entry of a symbol; of one that an older statement names by an alias or a pair, that of its asset. */
    private @Nullable Entry entry(AssetSymbol symbol) {
        Entry entry = directory.find(symbol);
        return entry != null || !account.isNamed(symbol)
                ? entry
                : directory.find(new AssetResolver(directory, AccountAssets.NONE).canonical(symbol));
    }

    /** Without trailing separators, else without a quote currency; null when there is nothing to cut. */
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

    /** What stands before a place, without trailing separators; null when that is nothing. */
    private static @Nullable AssetSymbol base(String symbol, int before) {
        int end = before;
        while (end > 0 && isSeparator(symbol.charAt(end - 1))) {
            end--;
        }
        return end == 0 ? null : new AssetSymbol(symbol.substring(0, end));
    }

    /** Known as crypto, or named by the statement and not known as anything else: then FOOUSD is not a way around FOO. */
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
