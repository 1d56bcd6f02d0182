package dev.agentpolicy.domain.trade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import dev.agentpolicy.domain.trade.AssetResolverTest.Says;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A crypto asset under another quote, or as a derivative, is never taken for another asset. */
class PairsAndDerivativesTest {
    private static final AssetDirectory DIRECTORY = AssetDirectory.builtIn();
    private static final List<String> DOLLARS = List.of("USD", "USDT", "USDC");
    private static final List<String> QUOTES = List.of(
            "BUSD", "FDUSD", "DAI", "PYUSD", "TUSD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "BTC", "ETH", "XBT");
    private static final List<String> MARKS = List.of("PERP", "SWAP", "240628", "20240628");
    private static final List<String> SEPARATORS = List.of("", "", ".", "-", "/", "_", "--", "_/");

    /** The examples of the audit; {@code CBBTC} and {@code .BTC} are assets that the call is wrong about. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            BTC/EUR       | BTC/EUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTC-EUR       | BTC-EUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTCEUR        | BTCEUR trades BTC against EUR; only BTC, or BTC against US dollars, can be decided.
            BTC/BUSD      | BTC/BUSD trades BTC against BUSD; only BTC, or BTC against US dollars, can be decided.
            ETH/BTC       | ETH/BTC trades ETH against BTC; only ETH, or ETH against US dollars, can be decided.
            BTC-PERP      | BTC-PERP is a derivative of BTC; derivatives are not traded here.
            BTC_USDT_PERP | BTC_USDT_PERP is a derivative of BTC; derivatives are not traded here.
            XBTUSDTM      | XBTUSDTM is a derivative of BTC; derivatives are not traded here.
            CBBTC         | CBBTC is a crypto asset; the call says tradfi.
            .BTC          | BTC is a crypto asset; the call says tradfi.
            """)
    void a_known_coin_under_another_pair_or_as_a_derivative_is_not_believed(String sent, String message) {
        for (UnknownAssets treatment : UnknownAssets.values()) {
            assertThat(decided(AccountAssets.NONE, sent, AssetType.TRADFI, treatment))
                    .containsExactly("invalid_payload: " + message);
        }
    }

    /** What is refused; the sentence is told by its kind, {@code BTC against EUR} or {@code derivative of BTC}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # sent             | the account says                  | a trade of
            # every quote, with each separator and without
            BTC/BUSD           | -                                 | BTC against BUSD
            BTCBUSD            | -                                 | BTC against BUSD
            BTC-FDUSD          | -                                 | BTC against FDUSD
            BTCFDUSD           | -                                 | BTC against FDUSD
            BTC_DAI            | -                                 | BTC against DAI
            BTC.PYUSD          | -                                 | BTC against PYUSD
            BTCTUSD            | -                                 | BTC against TUSD
            eth-eur            | -                                 | ETH against EUR
            ETHGBP             | -                                 | ETH against GBP
            ETH/JPY            | -                                 | ETH against JPY
            ETHCHF             | -                                 | ETH against CHF
            SOL-CAD            | -                                 | SOL against CAD
            SOLAUD             | -                                 | SOL against AUD
            ETHBTC             | -                                 | ETH against BTC
            LINK/ETH           | -                                 | LINK against ETH
            LINKETH            | -                                 | LINK against ETH
            # aliases of both
            XBT/EUR            | -                                 | BTC against EUR
            XDGEUR             | -                                 | DOGE against EUR
            BITCOIN-GBP        | -                                 | BTC against GBP
            ETH/XBT            | -                                 | ETH against BTC
            ETHXBT             | -                                 | ETH against BTC
            # dollars beside another quote do not help
            BTC-USD-EUR        | -                                 | BTC against EUR
            BTC/EUR/USD        | -                                 | BTC against EUR
            BTCEURUSDT         | -                                 | BTC against EUR
            BTC-EUR-GBP        | -                                 | BTC against EUR
            # nor separators at the ends
            .BTC/EUR           | -                                 | BTC against EUR
            ETH/BTC.           | -                                 | ETH against BTC
            _-BTC--EUR-_       | -                                 | BTC against EUR
            # stablecoins and wrapped coins are coins
            USDC/EUR           | -                                 | USDC against EUR
            USDT-TUSD          | -                                 | USDT against TUSD
            WBTC/BTC           | -                                 | WBTC against BTC
            STETH-ETH          | -                                 | STETH against ETH
            WSTETHETH          | -                                 | WSTETH against ETH
            CBETHEUR           | -                                 | CBETH against EUR
            # marks of derivatives
            BTC-PERP           | -                                 | derivative of BTC
            BTCPERP            | -                                 | derivative of BTC
            SOL/PERP           | -                                 | derivative of SOL
            BTC-USDT-SWAP      | -                                 | derivative of BTC
            ETHSWAP            | -                                 | derivative of ETH
            BTC-240628         | -                                 | derivative of BTC
            BTC240628          | -                                 | derivative of BTC
            ETH-20240628       | -                                 | derivative of ETH
            BTCUSD_240628      | -                                 | derivative of BTC
            BTC-USDT-20240628  | -                                 | derivative of BTC
            BTC-PERP-USD       | -                                 | derivative of BTC
            ETH/BTC-PERP       | -                                 | derivative of ETH
            .SOL_PERP.         | -                                 | derivative of SOL
            # P and M behind a quote
            BTCUSDTM           | -                                 | derivative of BTC
            BTCUSDP            | -                                 | derivative of BTC
            BTC-EUR-M          | -                                 | derivative of BTC
            BTC/USD.P          | -                                 | derivative of BTC
            # coins of the account
            GROVE/EUR          | held GROVE crypto                 | GROVE against EUR
            GROVEEUR           | listed GROVE crypto               | GROVE against EUR
            GROVE-PERP         | named GROVE                       | derivative of GROVE
            GROVEBTC           | named GROVE                       | GROVE against BTC
            GRO.VE/EUR         | held GRO.VE crypto                | GRO.VE against EUR
            BTC/EUR            | held BTC crypto, named BTC        | BTC against EUR
            """)
    void a_pair_or_derivative_of_a_coin_is_refused(String sent, String says, String refused) {
        AccountAssets account = Says.read(says);
        String symbol = sent.toUpperCase(Locale.ROOT).replaceAll("^[./_-]+|[./_-]+$", "");
        String message = refused.startsWith("derivative")
                ? symbol + " is a " + refused + "; derivatives are not traded here."
                : symbol + " trades " + refused + "; only " + refused.replaceAll(" .*", "") + ", or "
                        + refused.replaceAll(" .*", "") + " against US dollars, can be decided.";
        for (UnknownAssets treatment : UnknownAssets.values()) {
            for (AssetType said : AssetType.values()) {
                assertThat(decided(account, sent, said, treatment)).containsExactly("invalid_payload: " + message);
            }
        }
        AssetSymbol canonical = new AssetResolver(DIRECTORY, account).canonical(new AssetSymbol(sent));
        assertThat(canonical).isEqualTo(new AssetSymbol(symbol));
    }

    /** What looks like a pair or a derivative and is none, with what it is taken for when the call says tradfi. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # sent        | the account says                | is
            # dollars alone are the asset, as ever
            BTC/USD       | -                               | BTC crypto directory
            BTCUSDT       | -                               | BTC crypto directory
            XBT_USDC      | -                               | BTC crypto directory
            BTC-TETHER    | -                               | BTC crypto directory
            STETHUSD      | -                               | STETH crypto directory
            USDCUSD       | -                               | USDC crypto directory
            DAI-USD       | -                               | DAI crypto directory
            # leading separators go like trailing ones
            .BTC          | -                               | BTC crypto directory
            -ETH          | -                               | ETH crypto directory
            /_SOL-USD.    | -                               | SOL crypto directory
            .SPY          | -                               | SPY tradfi directory
            .GROVE        | -                               | GROVE tradfi said
            -USD          | -                               | USD tradfi said
            ./_           | -                               | ./_ tradfi said
            # a known symbol is never cut
            TUSD          | -                               | TUSD crypto directory
            WBTC          | -                               | WBTC crypto directory
            CBBTC         | -                               | CBBTC crypto directory
            CBETH         | -                               | CBETH crypto directory
            RETH          | -                               | RETH crypto directory
            META          | -                               | META tradfi directory
            BRK.B         | -                               | BRK.B tradfi directory
            BTC/EUR       | held BTC/EUR crypto             | BTC/EUR crypto held
            BTC-PERP      | listed BTC-PERP tradfi          | BTC-PERP tradfi listed
            .BTC          | held .BTC tradfi                | .BTC tradfi held
            UNIBTC        | listed UNIBTC crypto            | UNIBTC crypto listed
            # an older statement names a pair: it has the sleeve of its coin
            BTC/EUR       | named BTC/EUR                   | BTC/EUR crypto directory
            XBTUSDTM      | named XBTUSDTM                  | XBTUSDTM crypto directory
            GROVE/EUR     | named GROVE/EUR, named GROVE    | GROVE/EUR tradfi said
            # what is no coin has no pairs
            EUR           | -                               | EUR tradfi said
            EUR/GBP       | -                               | EUR/GBP tradfi said
            USD           | -                               | USD tradfi said
            PERP          | -                               | PERP tradfi said
            SPY/EUR       | -                               | SPY/EUR tradfi said
            GROVE-PERP    | -                               | GROVE-PERP tradfi said
            GROVE-EUR     | held GROVE tradfi, named GROVE  | GROVE-EUR tradfi said
            ETH/BTC       | held ETH tradfi                 | ETH/BTC tradfi said
            # P and M after something else than a quote, preferred shares and funds of coins
            SOLP          | -                               | SOLP tradfi said
            SOL-P         | -                               | SOL-P tradfi said
            ETHM          | -                               | ETHM tradfi said
            BAC-P         | -                               | BAC-P tradfi said
            BF-B          | -                               | BF-B tradfi said
            ETHE          | -                               | ETHE tradfi said
            BTCS          | -                               | BTCS tradfi said
            FETH          | -                               | FETH tradfi said
            FBTC          | -                               | FBTC tradfi said
            GBTC          | -                               | GBTC tradfi said
            IBIT          | -                               | IBIT tradfi said
            # numbers that are no dates
            BTC-12345     | -                               | BTC-12345 tradfi said
            BTC1234567    | -                               | BTC1234567 tradfi said
            """)
    void what_is_no_pair_of_a_coin_is_not_cut(String sent, String says, String asset) {
        AssetResolver resolver = new AssetResolver(DIRECTORY, Says.read(says));

        ResolvedAsset resolved = resolver.resolve(new AssetSymbol(sent), AssetType.TRADFI, sent);

        assertThat(resolved.symbol() + " " + resolved.assetType().wireName() + " "
                        + resolved.source().wireName())
                .isEqualTo(asset);
        assertThat(resolver.canonical(resolved.symbol())).isEqualTo(resolved.symbol());
    }

    @Test
    void no_spelling_of_a_known_coin_with_a_quote_or_mark_is_decided_as_another_asset() {
        List<Entry> coins = DIRECTORY.entries().stream()
                .filter(entry -> entry.assetType() == AssetType.CRYPTO)
                .toList();
        Seeded.times(5_000, random -> {
            Entry coin = anyOf(coins, random);
            List<AssetSymbol> spellings = Stream.concat(Stream.of(coin.symbol()), coin.aliases().stream())
                    .toList();
            boolean isHeld = random.nextBoolean();
            AccountAssets account = Says.read(
                    isHeld ? "held " + coin.symbol() + " crypto" : random.nextBoolean() ? "named GROVE" : null);
            StringBuilder sent = new StringBuilder(anyOf(SEPARATORS, random) + anyOf(spellings, random));
            boolean isInDollars = true;
            for (int i = random.nextInt(3); i >= 0; i--) {
                int kind = random.nextInt(4);
                String ending = kind == 0
                        ? anyOf(DOLLARS, random)
                        : kind == 1
                                ? anyOf(QUOTES, random)
                                : kind == 2
                                        ? anyOf(MARKS, random)
                                        : anyOf(QUOTES, random)
                                                + anyOf(SEPARATORS, random)
                                                + anyOf(List.of("P", "M"), random);
                isInDollars &= kind == 0;
                sent.append(anyOf(SEPARATORS, random)).append(ending);
            }
            sent.append(anyOf(SEPARATORS, random));
            String text =
                    random.nextBoolean() ? sent.toString() : sent.toString().toLowerCase(Locale.ROOT);
            if (text.length() > AssetSymbol.MAX_LENGTH) {
                return;
            }
            AssetType said = anyOf(List.of(AssetType.values()), random);
            ResolvedAsset asset = new AssetResolver(DIRECTORY, account).resolve(new AssetSymbol(text), said, text);
            List<String> decided = decided(account, text, AssetType.TRADFI, UnknownAssets.AS_SAID);

            assertThat(decided).describedAs(text).singleElement().asString().startsWith("invalid_payload: ");
            assertThat(asset.assetType()).describedAs(text).isEqualTo(AssetType.CRYPTO);
            if (isInDollars) {
                assertThat(asset.symbol()).describedAs(text).isEqualTo(coin.symbol());
            }
        });
    }

    private static <T> T anyOf(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    /** The violations of a purchase, without those that come from there being no statement and no portfolio. */
    private static List<String> decided(AccountAssets account, String sent, AssetType said, UnknownAssets treatment) {
        AssetSymbol symbol = new AssetSymbol(sent);
        ResolvedAsset asset = new AssetResolver(DIRECTORY, account)
                .resolve(symbol, said, sent)
                .under(treatment);
        Trade trade = new Trade(Action.BUY, symbol, said, Usd.of(50_000), null);
        return Evaluator.decide(EvaluationContext.of(trade, asset, SampleValues.NOON)).violations().stream()
                .map(PairsAndDerivativesTest::words)
                .toList();
    }

    private static String words(Violation violation) {
        return violation.rule().wireName() + ": " + violation.message();
    }
}
