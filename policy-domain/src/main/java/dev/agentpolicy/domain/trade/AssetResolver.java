package dev.agentpolicy.domain.trade;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.ResolvedAsset.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Resolves symbols in one account (docs/reference/rules.md, Asset identity) to the canonical symbol of the asset and
 * its sleeve. The sleeve comes from the account or the directory; the call is believed only for unknown assets.
 *
 * <p>Resolving a canonical symbol takes a few hash map look-ups.
 */
public final class AssetResolver {
    private static final List<String> DOLLARS = List.of("USD", "USDT", "USDC");

    private final AssetDirectory directory;
    private final AccountAssets account;
    private final Predicate<AssetSymbol> names;

    public AssetResolver(AssetDirectory directory, AccountAssets account) {
        this(directory, account, account::isNamed);
    }

    private AssetResolver(AssetDirectory directory, AccountAssets account, Predicate<AssetSymbol> names) {
        this.directory = directory;
        this.account = account;
        this.names = names;
    }

    /** A resolver that knows the built-in directory only. */
    public static AssetResolver ofDirectory() {
        return new AssetResolver(AssetDirectory.builtIn(), AccountAssets.NONE);
    }

    /** A resolver of this account under a statement that names other assets. */
    public AssetResolver naming(Predicate<AssetSymbol> otherNames) {
        return new AssetResolver(directory, account, otherNames);
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
        if (entry != null) {
            return new ResolvedAsset(symbol, sent, entry.assetType(), Source.DIRECTORY);
        }
        AssetPair pair = names.test(symbol) ? null : pair(symbol);
        return pair == null ? new ResolvedAsset(symbol, sent, said, Source.SAID) : ResolvedAsset.of(pair, symbol, sent);
    }

    /**
     * The canonical symbol of an asset: no alias, without separators at its ends, and without dollars behind it. Other
     * pairs and derivatives keep their symbol.
     */
    public AssetSymbol canonical(AssetSymbol spelling) {
        AssetSymbol symbol = spelling;
        while (true) {
            Entry entry = directory.find(symbol);
            if (entry != null) {
                return entry.symbol().equals(symbol) || isOfTheAccount(symbol) ? symbol : entry.symbol();
            }
            AssetSymbol shorter = isOfTheAccount(symbol) ? null : shortened(symbol);
            if (shorter == null) {
                return symbol;
            }
            symbol = shorter;
        }
    }

    /**
     * The problems of a list that newly names pairs or derivatives. What the account holds or lists may be named.
     *
     * @param field path of the list, or of a single symbol
     * @param symbols the canonical symbol of each spelling
     * @param isStored whether an earlier version of the document has a symbol
     */
    public List<Problem> unnameable(
            String field, Map<AssetSymbol, AssetSymbol> symbols, Predicate<AssetSymbol> isStored) {
        List<Problem> problems = new ArrayList<>();
        symbols.forEach((spelling, symbol) -> {
            boolean isKnown =
                    directory.find(symbol) != null || account.held(symbol) != null || account.listed(symbol) != null;
            AssetPair pair = isKnown || isStored.test(spelling) || isStored.test(symbol) ? null : pair(symbol);
            if (pair != null && !pair.isInDollars()) {
                problems.add(
                        new Problem(field, field + " must not name a pair or a derivative: " + pair.refusal(symbol)));
            }
        });
        return problems;
    }

    /**
     * The canonical symbols of one list of a document.
     *
     * @param field path of the list
     * @param isStored whether an earlier version of the list has a spelling; then it may stand beside another spelling
     * @return the canonical symbol of each spelling; two spellings of one asset are a problem
     */
    public Reading<Map<AssetSymbol, AssetSymbol>> canonical(
            String field, Collection<AssetSymbol> spellings, Predicate<AssetSymbol> isStored) {
        Map<AssetSymbol, AssetSymbol> found = new TreeMap<>();
        Map<AssetSymbol, AssetSymbol> symbols = new TreeMap<>();
        for (AssetSymbol spelling : spellings) {
            AssetSymbol canonical = canonical(spelling);
            boolean isTaken = spellings.contains(canonical) || found.containsKey(canonical);
            AssetSymbol symbol = isTaken && isStored.test(spelling) ? spelling : canonical;
            AssetSymbol other = found.putIfAbsent(symbol, spelling);
            if (other != null && !other.equals(spelling)) {
                return Reading.wrong(List.of(twice(field, symbol, other, spelling)));
            }
            symbols.put(spelling, symbol);
        }
        return Reading.of(symbols);
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
        if (entry != null || !names.test(symbol)) {
            return entry;
        }
        AssetResolver known = new AssetResolver(directory, AccountAssets.NONE);
        AssetSymbol canonical = known.canonical(symbol);
        AssetPair pair = known.pair(canonical);
        return directory.find(pair == null ? canonical : pair.base());
    }

    /**
     * The symbol without separators at its ends, or else without the dollars behind it; null when there is nothing to cut.
     * A symbol with an ending of another kind is not cut.
     */
    private @Nullable AssetSymbol shortened(AssetSymbol symbol) {
        String text = symbol.value();
        if (isSeparator(text.charAt(0)) || isSeparator(text.charAt(text.length() - 1))) {
            return trimmed(text);
        }
        AssetPair pair = pair(symbol);
        if (pair != null) {
            return pair.isInDollars() ? pair.base() : null;
        }
        for (String quote : DOLLARS) {
            int end = text.length() - quote.length();
            if (end > 0 && text.endsWith(quote) && isSeparator(text.charAt(end - 1))) {
                return trimmed(text.substring(0, end));
            }
        }
        return null;
    }

    /** A text without separators at its ends; null when nothing else is in it. */
    private static @Nullable AssetSymbol trimmed(String text) {
        int begin = 0;
        int end = text.length();
        while (end > 0 && isSeparator(text.charAt(end - 1))) {
            end--;
        }
        while (begin < end && isSeparator(text.charAt(begin))) {
            begin++;
        }
        return begin == end ? null : new AssetSymbol(text.substring(begin, end));
    }

    /**
     * The pair or derivative that a symbol would be read as if the account did not know it; null for an asset of the
     * directory, for a pair against dollars, and for what reads as neither.
     */
    public @Nullable AssetPair pairIfUnknown(AssetSymbol symbol) {
        AssetSymbol asset = trimmed(symbol.value());
        AssetPair pair = asset == null || directory.find(asset) != null ? null : pair(asset);
        return pair == null || pair.isInDollars() ? null : pair;
    }

    private @Nullable AssetPair pair(AssetSymbol symbol) {
        return AssetPair.read(symbol.value(), this::coin);
    }

    /**
     * The canonical symbol of an asset that is known as crypto, or named by the statement and not known as tradfi, so that
     * FOOUSD cannot evade a rule about FOO; otherwise null.
     */
    private @Nullable AssetSymbol coin(AssetSymbol spelling) {
        Entry alias = directory.find(spelling);
        AssetSymbol symbol = alias == null || isOfTheAccount(spelling) ? spelling : alias.symbol();
        AssetType type = account.held(symbol);
        type = type == null ? account.listed(symbol) : type;
        Entry entry = type == null ? entry(symbol) : null;
        type = entry == null ? type : entry.assetType();
        return type == AssetType.CRYPTO || type == null && names.test(symbol) ? symbol : null;
    }

    private boolean isOfTheAccount(AssetSymbol symbol) {
        return account.held(symbol) != null || account.listed(symbol) != null || names.test(symbol);
    }

    static boolean isSeparator(char c) {
        return c == '.' || c == '-' || c == '/' || c == '_';
    }
}
