package dev.agentpolicy.domain.decision;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A second implementation of the resolver, written from docs/reference/rules.md (Asset identity) alone. It shares no
 * code with the resolver and knows only the assets that random cases use.
 *
 * @param symbol the canonical symbol
 * @param sleeve {@code crypto}, {@code tradfi}, or null when unknown
 * @param isRefused whether the symbol names a pair or a derivative
 */
record ReferenceAsset(String symbol, String sleeve, boolean isRefused) {
    static final Map<String, String> ALIASES = Map.of("BTC", "XBT", "ETH", "XETH");

    private static final Map<String, String> SLEEVES =
            Map.of("BTC", "crypto", "XBT", "crypto", "ETH", "crypto", "XETH", "crypto", "SPY", "tradfi");
    private static final List<String> DOLLARS = List.of("USD", "USDT", "USDC");
    private static final List<String> ENDINGS = List.of("EUR", "BTC", "XBT", "ETH", "XETH", "PERP", "240628");
    private static final Pattern ENDS = Pattern.compile("[./_-]*(|[^./_-]|[^./_-].*[^./_-])[./_-]*");
    private static final Pattern PAIR = Pattern.compile("(.*[^./_-])[./_-]+USD[TC]?");

    static ReferenceAsset of(RandomCase it) {
        return of(it, it.sent.toUpperCase(Locale.ROOT));
    }

    private static ReferenceAsset of(RandomCase it, String sent) {
        if (isKnown(it, sent)) {
            String symbol = canonical(sent);
            return new ReferenceAsset(symbol, sleeve(it, symbol), false);
        }
        Matcher ends = ENDS.matcher(sent);
        if (!ends.matches() || ends.group(1).isEmpty()) {
            return new ReferenceAsset(sent, null, false);
        }
        String symbol = ends.group(1);
        if (!symbol.equals(sent)) {
            return of(it, symbol);
        }
        Split split = splits(it, symbol, true).max(Split.BEST).orElse(null);
        if (split != null) {
            return split.isInDollars ? of(it, split.coin) : new ReferenceAsset(symbol, null, true);
        }
        Matcher pair = PAIR.matcher(symbol);
        return pair.matches() ? of(it, pair.group(1)) : new ReferenceAsset(symbol, null, false);
    }

    /** A symbol that begins with a crypto asset; what follows are dollars alone, or other quotes and marks too. */
    private record Split(String coin, boolean isInDollars) {
        static final Comparator<Split> BEST =
                Comparator.comparing((Split split) -> split.coin.length()).thenComparing(split -> split.isInDollars);
    }

    /** Cuts one ending after the other from the end, in every possible way. */
    private static Stream<Split> splits(RandomCase it, String symbol, boolean isInDollars) {
        Stream<String> quotesBeforeMark = symbol.endsWith("M") || symbol.endsWith("P")
                ? Stream.of(without(symbol, 1)).filter(ReferenceAsset::endsWithQuote)
                : Stream.of();
        Stream<Split> marked = quotesBeforeMark.flatMap(quote -> splits(it, quote, false));
        Stream<Split> dollars = DOLLARS.stream()
                .filter(symbol::endsWith)
                .flatMap(end -> rest(it, without(symbol, end.length()), isInDollars));
        Stream<Split> others = ENDINGS.stream()
                .filter(symbol::endsWith)
                .flatMap(end -> rest(it, without(symbol, end.length()), false));
        return Stream.of(marked, dollars, others).flatMap(splits -> splits);
    }

    private static Stream<Split> rest(RandomCase it, String rest, boolean isInDollars) {
        return Stream.concat(
                isCrypto(it, rest) ? Stream.of(new Split(rest, isInDollars)) : Stream.of(),
                splits(it, rest, isInDollars));
    }

    private static String without(String symbol, int end) {
        return symbol.substring(0, symbol.length() - end).replaceAll("[./_-]+$", "");
    }

    private static boolean endsWithQuote(String symbol) {
        return Stream.concat(DOLLARS.stream(), Stream.of("EUR", "BTC", "XBT", "ETH", "XETH"))
                .anyMatch(symbol::endsWith);
    }

    private static String canonical(String known) {
        return known.equals("XBT") ? "BTC" : known.equals("XETH") ? "ETH" : known;
    }

    private static boolean isKnown(RandomCase it, String symbol) {
        return sleeve(it, symbol) != null || it.hasIps && it.isNamedInIps(symbol);
    }

    /** A named asset of unknown sleeve may be crypto. */
    private static boolean isCrypto(RandomCase it, String spelling) {
        String symbol = canonical(spelling);
        String sleeve = sleeve(it, symbol);
        return sleeve == null ? it.hasIps && it.isNamedInIps(symbol) : sleeve.equals("crypto");
    }

    private static String sleeve(RandomCase it, String symbol) {
        boolean isOfTheAccount = symbol.equals(it.symbol);
        if (isOfTheAccount && it.heldAs != null) {
            return it.heldAs;
        }
        return isOfTheAccount && it.listedAs != null ? it.listedAs : SLEEVES.get(symbol);
    }
}
