package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

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

    /** Root, date, call or put, and strike, as the Options Clearing Corporation writes them. */
    private static final Pattern OPTION = Pattern.compile("[A-Z0-9.]{1,7}[0-9]{6}[CP][0-9]{8}");

    private static final BigDecimal SHARES_OF_A_CONTRACT = BigDecimal.valueOf(100);

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

    /** Whether a symbol that comes without its class can be the one of an instrument. */
    static boolean isNamed(Instrument instrument, String symbol) {
        AssetSymbol named = AssetSymbol.of(instrument.type() == AssetType.CRYPTO ? withoutQuote(symbol) : symbol);
        return instrument.symbol().equals(named);
    }

    /** The symbol for an order: {@code BTC/USD} for {@code BTC}, {@code BTCUSD} and {@code BTC/USD}. */
    static String forOrder(Instrument instrument) {
        String symbol = instrument.symbol().value();
        if (instrument.type() != AssetType.CRYPTO || symbol.indexOf('/') >= 0) {
            return symbol;
        }
        return withoutQuote(symbol) + DOLLAR_PAIR;
    }

    /** Whether an order for an instrument is one against dollars. */
    static boolean isOrderedInDollars(Instrument instrument) {
        return instrument.type() != AssetType.CRYPTO || forOrder(instrument).endsWith(DOLLAR_PAIR);
    }

    /** Whether the prices of an instrument are in dollars; coins that are pegged to it count as it. */
    static boolean isInDollars(Instrument instrument) {
        return instrument.type() != AssetType.CRYPTO || slash(instrument) <= 0;
    }

    /** What is traded of a pair: {@code ETH} of {@code ETH/BTC}. */
    static Instrument base(Instrument instrument) {
        return isInDollars(instrument)
                ? instrument
                : part(instrument, instrument.symbol().value().substring(0, slash(instrument)));
    }

    /** What is paid with in a pair: {@code BTC} of {@code ETH/BTC}. */
    static Instrument quote(Instrument instrument) {
        return part(instrument, instrument.symbol().value().substring(slash(instrument) + 1));
    }

    private static Instrument part(Instrument pair, String symbol) {
        AssetSymbol asset = AssetSymbol.of(symbol);
        return asset == null ? pair : new Instrument(asset, pair.type());
    }

    private static int slash(Instrument instrument) {
        return instrument.symbol().value().indexOf('/');
    }

    /** How many units one of an instrument stands for: options are priced by the share and traded by the contract. */
    static BigDecimal units(Instrument instrument) {
        boolean isOption = instrument.type() == AssetType.TRADFI
                && OPTION.matcher(instrument.symbol().value()).matches();
        return isOption ? SHARES_OF_A_CONTRACT : BigDecimal.ONE;
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
