package dev.agentpolicy.domain.decision;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second implementation of the resolver, written from docs/reference/rules.md (Asset identity) alone. It shares no
 * code with the resolver and knows only the assets that random cases use.
 *
 * @param symbol the canonical symbol
 * @param sleeve {@code crypto}, {@code tradfi}, or null when unknown
 */
record ReferenceAsset(String symbol, String sleeve) {
    static final Map<String, String> ALIASES = Map.of("BTC", "XBT", "ETH", "XETH");

    private static final Map<String, String> SLEEVES =
            Map.of("BTC", "crypto", "XBT", "crypto", "ETH", "crypto", "XETH", "crypto", "SPY", "tradfi");
    private static final Pattern TRAILING = Pattern.compile("(.*[^./_-])[./_-]+");
    private static final Pattern PAIR = Pattern.compile("(.*[^./_-])[./_-]+USD[TC]?");
    private static final Pattern GLUED = Pattern.compile("(.*[^./_-])USD[TC]?");

    static ReferenceAsset of(RandomCase it) {
        String symbol = spelling(it, it.sent.toUpperCase(Locale.ROOT));
        return new ReferenceAsset(symbol, sleeve(it, symbol));
    }

    private static String spelling(RandomCase it, String sent) {
        if (isKnown(it, sent)) {
            return sent.equals("XBT") ? "BTC" : sent.equals("XETH") ? "ETH" : sent;
        }
        Matcher trailing = TRAILING.matcher(sent);
        Matcher pair = PAIR.matcher(sent);
        Matcher glued = GLUED.matcher(sent);
        if (trailing.matches()) {
            return spelling(it, trailing.group(1));
        }
        if (pair.matches()) {
            return spelling(it, pair.group(1));
        }
        return glued.matches() && isCrypto(it, spelling(it, glued.group(1))) ? spelling(it, glued.group(1)) : sent;
    }

    private static boolean isKnown(RandomCase it, String symbol) {
        return sleeve(it, symbol) != null || it.hasIps && it.isNamedInIps(symbol);
    }

    /** A named asset of unknown sleeve may be crypto. */
    private static boolean isCrypto(RandomCase it, String symbol) {
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
