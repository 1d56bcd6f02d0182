package dev.agentpolicy.domain.trade;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
    private static final List<String> DOLLARS = List.of("USD", "USDT", "USDC");
    private static final List<String> OTHER_QUOTES =
            List.of("BUSD", "FDUSD", "DAI", "PYUSD", "TUSD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "BTC", "ETH");
    private static final List<String> MARKS = List.of("PERP", "SWAP");
    private static final int[] DIGITS_OF_A_DATE = {6, 8};

    /** Quotes with their aliases, and marks, by their last character. */
    private static final Map<Character, List<Ending>> ENDINGS = endings();

    /**
     * A quote or a mark of a derivative, or a row of these.
     *
     * @param text how it is spelled; empty for a row
     * @param quote {@code USD} for dollars alone; null if there is a mark
     */
    private record Ending(String text, @Nullable AssetSymbol quote) {
        static final Ending NOTHING = new Ending("", USD);
        static final Ending DERIVATIVE = new Ending("", null);

        /** This and what follows it. */
        Ending then(Ending next) {
            boolean isDerivative = quote == null || next.quote == null;
            return isDerivative ? DERIVATIVE : USD.equals(quote) ? next : this;
        }

        /** Of two readings of one text that in dollars, or else that without a mark. */
        Ending or(@Nullable Ending other) {
            return other == null || other.quote == null || USD.equals(quote) ? this : other;
        }

        boolean isBefore(int end, String symbol) {
            return symbol.startsWith(text, end - text.length());
        }
    }

    /**
     * Reads a symbol that begins with an asset and ends with quotes and marks of derivatives. Of several readings, that
     * with the longest asset counts.
     *
     * @param symbol without separators at its ends
     * @param coins the canonical symbol of a crypto asset; null for everything else
     * @return null when the symbol does not read so
     */
    static @Nullable AssetPair read(String symbol, Function<AssetSymbol, @Nullable AssetSymbol> coins) {
        // How the symbol reads from each place on; null where it does not.
        @Nullable Ending[] from = new Ending[symbol.length() + 1];
        from[symbol.length()] = Ending.NOTHING;
        for (int end = symbol.length(); end > 0; end--) {
            Ending next = from[end];
            if (next != null && AssetResolver.isSeparator(symbol.charAt(end - 1))) {
                from[end - 1] = next.or(from[end - 1]);
            } else if (next != null) {
                AssetSymbol base =
                        end == symbol.length() ? null : coins.apply(new AssetSymbol(symbol.substring(0, end)));
                if (base != null) {
                    return new AssetPair(base, next.quote);
                }
                readBack(symbol, end, next, from);
            }
        }
        return null;
    }

    /** Reads each quote and mark that ends at a place. */
    private static void readBack(String symbol, int end, Ending next, @Nullable Ending[] from) {
        char last = symbol.charAt(end - 1);
        for (Ending ending : ENDINGS.getOrDefault(last, List.of())) {
            if (ending.isBefore(end, symbol)) {
                int begin = end - ending.text.length();
                from[begin] = ending.then(next).or(from[begin]);
            }
        }
        for (int digits : DIGITS_OF_A_DATE) {
            if (isNumber(symbol, end - digits, end)) {
                from[end - digits] = Ending.DERIVATIVE.or(from[end - digits]);
            }
        }
        // Symbols of shares end in P and M, too, so these mark a derivative only behind a quote.
        if (last == 'P' || last == 'M') {
            int behind = end - 1;
            while (behind > 0 && AssetResolver.isSeparator(symbol.charAt(behind - 1))) {
                behind--;
            }
            for (Ending ending :
                    behind == 0 ? List.<Ending>of() : ENDINGS.getOrDefault(symbol.charAt(behind - 1), List.of())) {
                if (ending.quote != null && ending.isBefore(behind, symbol)) {
                    int begin = behind - ending.text.length();
                    from[begin] = Ending.DERIVATIVE.or(from[begin]);
                }
            }
        }
    }

    private static boolean isNumber(String symbol, int begin, int end) {
        for (int i = end - 1; i >= begin; i--) {
            if (i < 0 || symbol.charAt(i) < '0' || symbol.charAt(i) > '9') {
                return false;
            }
        }
        return true;
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

    private static Map<Character, List<Ending>> endings() {
        List<Ending> endings = new ArrayList<>();
        DOLLARS.forEach(quote -> spellings(quote).forEach(spelling -> endings.add(new Ending(spelling, USD))));
        OTHER_QUOTES.forEach(quote ->
                spellings(quote).forEach(spelling -> endings.add(new Ending(spelling, new AssetSymbol(quote)))));
        MARKS.forEach(mark -> endings.add(new Ending(mark, null)));
        Map<Character, List<Ending>> byLast = new HashMap<>();
        endings.forEach(ending -> byLast.computeIfAbsent(
                        ending.text.charAt(ending.text.length() - 1), last -> new ArrayList<>())
                .add(ending));
        return byLast;
    }

    private static List<String> spellings(String quote) {
        List<String> spellings = new ArrayList<>(List.of(quote));
        AssetDirectory.Entry entry = AssetDirectory.builtIn().find(new AssetSymbol(quote));
        if (entry != null) {
            entry.aliases().forEach(alias -> spellings.add(alias.value()));
        }
        return spellings;
    }
}
