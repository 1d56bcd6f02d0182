package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is traded or held, as the service names it. Alpaca names a crypto asset by a pair: {@code BTC/USD} in orders, fills and assets,
 * {@code BTCUSD} in positions. Shares, funds and options have one name on both sides.
 *
 * @param symbol canonical: {@code BTC}, not {@code BTC/USD}
 * @param type its sleeve; options are {@code TRADFI}
 */
record Instrument(AssetSymbol symbol, AssetType type) {
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

    /**
     * What a symbol with its class stands for.
     *
     * @throws FailedAttempt when it is not a symbol
     */
    static Instrument of(String symbol, String assetClass) throws FailedAttempt {
        boolean isCrypto = assetClass.equals(CRYPTO) || assetClass.equals(CRYPTO_PERPETUAL);
        return isCrypto
                ? new Instrument(symbol(withoutQuote(symbol)), AssetType.CRYPTO)
                : new Instrument(symbol(symbol), AssetType.TRADFI);
    }

    /**
     * What the symbol of a fill stands for, which comes without its class.
     *
     * @throws FailedAttempt when it is not a symbol
     */
    static Instrument of(String symbol) throws FailedAttempt {
        return of(symbol, isPair(symbol) ? CRYPTO : "us_equity");
    }

    /** Whether a symbol that comes without its class can be the one of this. */
    boolean isNamed(String brokerSymbol) {
        return symbol.equals(AssetSymbol.of(isCoin() ? withoutQuote(brokerSymbol) : brokerSymbol));
    }

    /** The symbol for an order: {@code BTC/USD} for {@code BTC}, {@code BTCUSD} and {@code BTC/USD}. */
    String orderSymbol() {
        return isCoin() && slash() < 0 ? withoutQuote(symbol.value()) + DOLLAR_PAIR : symbol.value();
    }

    /** Whether an order for this is one against dollars. */
    boolean isOrderedInDollars() {
        return !isCoin() || orderSymbol().endsWith(DOLLAR_PAIR);
    }

    /** Whether prices of this are in dollars; coins that are pegged to it count as it. */
    boolean isPricedInDollars() {
        return !isCoin() || slash() <= 0;
    }

    /** What is traded of a pair: {@code ETH} of {@code ETH/BTC}. */
    Instrument base() {
        return isPricedInDollars() ? this : part(symbol.value().substring(0, slash()));
    }

    /** What is paid with in a pair: {@code BTC} of {@code ETH/BTC}. */
    Instrument quote() {
        return part(symbol.value().substring(slash() + 1));
    }

    private Instrument part(String named) {
        AssetSymbol asset = AssetSymbol.of(named);
        return asset == null ? this : new Instrument(asset, type);
    }

    private int slash() {
        return symbol.value().indexOf('/');
    }

    private boolean isCoin() {
        return type == AssetType.CRYPTO;
    }

    /** How many units one of this stands for: options are priced by the share and traded by the contract. */
    BigDecimal units() {
        boolean isOption =
                type == AssetType.TRADFI && OPTION.matcher(symbol.value()).matches();
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

    private static AssetSymbol symbol(String text) throws FailedAttempt {
        AssetSymbol symbol = AssetSymbol.of(text);
        if (symbol == null) {
            throw FailedAttempt.malformed("symbol");
        }
        return symbol;
    }
}
