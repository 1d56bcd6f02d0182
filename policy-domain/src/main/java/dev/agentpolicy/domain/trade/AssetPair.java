package dev.agentpolicy.domain.trade;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A crypto asset against a quote, or a derivative of it, as a symbol spells them (docs/reference/rules.md, Pairs and
 * derivatives).
 *
 * @param base the canonical symbol of the asset
 * @param quote the canonical symbol of what it is traded against, {@code USD} for any of the dollars; null for a
 *     derivative
 */
public record AssetPair(AssetSymbol base, @Nullable AssetSymbol quote) {
    private static final AssetSymbol USD = new AssetSymbol("USD");
    private static final String SEPARATORS = "[./_-]*";
    private static final String DOLLAR = SEPARATORS + anyOf("USD", "USDT", "USDC");
    private static final String OTHER = SEPARATORS
            + anyOf("BUSD", "FDUSD", "DAI", "PYUSD", "TUSD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "BTC", "ETH");
    private static final String QUOTE = "(?:" + DOLLAR + "|" + OTHER + ")";

    /** Symbols of shares end in P and M, too, so these mark a derivative only behind a quote. */
    private static final String MARK =
            "(?:" + QUOTE + SEPARATORS + "[PM]|" + SEPARATORS + "(?:PERP|SWAP|\\d{6}|\\d{8}))";

    private static final Pattern IN_DOLLARS = Pattern.compile("(?:" + DOLLAR + ")+");
    private static final Pattern IN_OTHERS =
            Pattern.compile("(?:" + DOLLAR + ")*(?<quote>" + OTHER + ")" + QUOTE + "*");
    private static final Pattern ENDING = Pattern.compile("(?:" + QUOTE + "|" + MARK + ")+");

    /**
     * Reads a symbol that begins with an asset and ends with quotes and marks of derivatives. Of several readings, that
     * with the longest asset counts.
     *
     * @param symbol without separators at its ends
     * @param coins the canonical symbol of a crypto asset; null for everything else
     * @return null when the symbol does not read so
     */
    static @Nullable AssetPair read(String symbol, Function<AssetSymbol, @Nullable AssetSymbol> coins) {
        Matcher ending = ENDING.matcher(symbol);
        for (int end = symbol.length() - 1; end > 0; end--) {
            if (!AssetResolver.isSeparator(symbol.charAt(end - 1))
                    && ending.region(end, symbol.length()).matches()) {
                AssetSymbol base = coins.apply(new AssetSymbol(symbol.substring(0, end)));
                if (base != null) {
                    return new AssetPair(base, quote(symbol.substring(end)));
                }
            }
        }
        return null;
    }

    /** What an ending names; null when it marks a derivative. */
    private static @Nullable AssetSymbol quote(String ending) {
        if (IN_DOLLARS.matcher(ending).matches()) {
            return USD;
        }
        Matcher others = IN_OTHERS.matcher(ending);
        return others.matches() ? AssetResolver.ofDirectory().canonical(new AssetSymbol(others.group("quote"))) : null;
    }

    /** Whether this is the asset itself, at a price in dollars. */
    boolean isInDollars() {
        return USD.equals(quote);
    }

    /**
     * Why this cannot be traded here, as a sentence.
     *
     * @param symbol the one that was read
     */
    public String refusal(AssetSymbol symbol) {
        return quote == null
                ? symbol + " is a derivative of " + base + "; derivatives are not traded here."
                : symbol + " trades " + base + " against " + quote + "; only " + base + ", or " + base
                        + " against US dollars, can be decided.";
    }

    /** A pattern of these quotes and their aliases. */
    private static String anyOf(String... quotes) {
        return Stream.of(quotes)
                .flatMap(quote -> {
                    AssetDirectory.Entry entry = AssetDirectory.builtIn().find(new AssetSymbol(quote));
                    Stream<AssetSymbol> aliases = entry == null ? Stream.of() : entry.aliases().stream();
                    return Stream.concat(Stream.of(quote), aliases.map(AssetSymbol::value));
                })
                .collect(Collectors.joining("|", "(?:", ")"));
    }
}
