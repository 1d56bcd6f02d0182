package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.List;
import java.util.Set;

/**
 * Translates symbols. Alpaca names a crypto asset by a pair: {@code BTC/USD} in orders, fills and assets,
 * {@code BTCUSD} in positions. Shares, funds and options have one name on both sides.
 */
final class AlpacaSymbols {
    private static final String DOLLAR_PAIR = "/USD";
    private static final List<String> QUOTES = List.of("USDT", "USDC", "USD");
    private static final String CRYPTO = "crypto";
    private static final String CRYPTO_PERPETUAL = "crypto_perp";

    /** Coins whose own name ends as a quote does. */
    private static final Set<String> NEVER_CUT = Set.of(
            "BUSD", "FDUSD", "GUSD", "LUSD", "PYUSD", "RLUSD", "SUSD", "TUSD", "USD", "USDC", "USDG", "USDT", "ZUSD");

    /** A US ticker has at most five letters, so that a longer one that ends in a quote is a pair. */
    private static final int MIN_PAIR_LENGTH = 6;

    private AlpacaSymbols() {}

    /**
     * What a symbol with its class stands for.
     *
     * @throws MalformedAnswer when it is not a symbol
     */
    static Instrument instrument(String symbol, String assetClass) throws MalformedAnswer {
        boolean isCrypto = assetClass.equals(CRYPTO) || assetClass.equals(CRYPTO_PERPETUAL);
        return isCrypto
                ? new Instrument(symbol(withoutQuote(symbol)), AssetType.CRYPTO)
                : new Instrument(symbol(symbol), AssetType.TRADFI);
    }

    /**
     * What the symbol of a fill stands for, which comes without its class.
     *
     * @throws MalformedAnswer when it is not a symbol
     */
    static Instrument instrument(String symbol) throws MalformedAnswer {
        return instrument(symbol, isPair(symbol) ? CRYPTO : "us_equity");
    }

    /** The symbol for an order: {@code BTC/USD} for {@code BTC}, {@code BTCUSD} and {@code BTC/USD}. */
    static String forOrder(Instrument instrument) {
        String symbol = instrument.symbol().value();
        if (instrument.type() != AssetType.CRYPTO || symbol.indexOf('/') >= 0) {
            return symbol;
        }
        return withoutQuote(symbol) + DOLLAR_PAIR;
    }

    private static boolean isPair(String symbol) {
        return symbol.indexOf('/') > 0
                || (symbol.length() >= MIN_PAIR_LENGTH
                        && symbol.chars().allMatch(c -> c >= 'A' && c <= 'Z')
                        && QUOTES.stream().anyMatch(symbol::endsWith));
    }

    /** A pair in another currency than the dollar keeps its quote, since its price is not one in dollars. */
    private static String withoutQuote(String symbol) {
        if (NEVER_CUT.contains(symbol)) {
            return symbol;
        }
        for (String quote : QUOTES) {
            if (symbol.endsWith(quote) && symbol.length() > quote.length()) {
                String rest = symbol.substring(0, symbol.length() - quote.length());
                return rest.endsWith("/") && rest.length() > 1 ? rest.substring(0, rest.length() - 1) : rest;
            }
        }
        return symbol;
    }

    private static AssetSymbol symbol(String text) throws MalformedAnswer {
        AssetSymbol symbol = AssetSymbol.of(text);
        if (symbol == null) {
            throw new MalformedAnswer("symbol");
        }
        return symbol;
    }
}
