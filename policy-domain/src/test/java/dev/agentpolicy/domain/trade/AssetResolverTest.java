package dev.agentpolicy.domain.trade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssetResolverTest {

    /**
     * What an account knows: {@code held GROVE crypto}, {@code listed SOL tradfi}, {@code named FOO}, joined by commas.
     */
    record Says(Map<String, AssetType> held, Map<String, AssetType> listed, Set<String> named)
            implements AccountAssets {

        static Says read(@Nullable String text) {
            List<String[]> facts = text == null
                    ? List.of()
                    : Stream.of(text.split(", ")).map(fact -> fact.split(" ")).toList();
            return new Says(
                    types(facts, "held"),
                    types(facts, "listed"),
                    facts.stream()
                            .filter(fact -> fact[0].equals("named"))
                            .map(fact -> fact[1])
                            .collect(Collectors.toSet()));
        }

        private static Map<String, AssetType> types(List<String[]> facts, String kind) {
            return facts.stream()
                    .filter(fact -> fact[0].equals(kind))
                    .collect(Collectors.toMap(fact -> fact[1], fact -> type(fact[2])));
        }

        @Override
        public @Nullable AssetType held(AssetSymbol symbol) {
            return held.get(symbol.value());
        }

        @Override
        public @Nullable AssetType listed(AssetSymbol symbol) {
            return listed.get(symbol.value());
        }

        @Override
        public boolean isNamed(AssetSymbol symbol) {
            return named.contains(symbol.value());
        }
    }

    /** The rules of spelling and sleeve, in their order. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # sent         | said   | the account says                        | symbol     | sleeve | source
            # a symbol that is known as it stands is never cut
            BTC            | crypto | -                                       | BTC        | crypto | directory
            btc            | crypto | -                                       | BTC        | crypto | directory
            TUSD           | crypto | -                                       | TUSD       | crypto | directory
            USDT           | crypto | -                                       | USDT       | crypto | directory
            BRK.B          | tradfi | -                                       | BRK.B      | tradfi | directory
            GROVEUSD       | crypto | named GROVEUSD, held GROVE crypto       | GROVEUSD   | crypto | said
            GROVEUSD       | tradfi | held GROVEUSD tradfi                    | GROVEUSD   | tradfi | held
            GROVE.         | tradfi | held GROVE. tradfi                      | GROVE.     | tradfi | held
            # trailing separators go
            DOGE.          | crypto | -                                       | DOGE       | crypto | directory
            DOGE-          | crypto | -                                       | DOGE       | crypto | directory
            DOGE/_-.       | crypto | -                                       | DOGE       | crypto | directory
            SPY.           | tradfi | -                                       | SPY        | tradfi | directory
            GROVE.         | tradfi | -                                       | GROVE      | tradfi | said
            # a quote currency behind a separator goes
            DOGE-USD       | crypto | -                                       | DOGE       | crypto | directory
            DOGE/USD       | crypto | -                                       | DOGE       | crypto | directory
            DOGE_USDT      | crypto | -                                       | DOGE       | crypto | directory
            DOGE.USDC      | crypto | -                                       | DOGE       | crypto | directory
            SPY/USD        | tradfi | -                                       | SPY        | tradfi | directory
            GROVE-USD      | crypto | -                                       | GROVE      | crypto | said
            TUSD-USD       | crypto | -                                       | TUSD       | crypto | directory
            # behind a known crypto symbol also without one
            DOGEUSD        | crypto | -                                       | DOGE       | crypto | directory
            DOGEUSDT       | crypto | -                                       | DOGE       | crypto | directory
            ETHUSDC        | crypto | -                                       | ETH        | crypto | directory
            USDTUSD        | crypto | -                                       | USDT       | crypto | directory
            TUSDUSD        | crypto | -                                       | TUSD       | crypto | directory
            GROVEUSD       | crypto | held GROVE crypto                       | GROVE      | crypto | held
            GROVEUSD       | crypto | listed GROVE crypto                     | GROVE      | crypto | listed
            GROVEUSD       | crypto | named GROVE                             | GROVE      | crypto | said
            GROVEUSD       | crypto | held GROVE tradfi                       | GROVEUSD   | crypto | said
            GROVEUSD       | crypto | held GROVE tradfi, named GROVE          | GROVEUSD   | crypto | said
            GROVEUSD       | crypto | -                                       | GROVEUSD   | crypto | said
            SPYUSD         | tradfi | -                                       | SPYUSD     | tradfi | said
            ETHUSD         | tradfi | held ETH tradfi                         | ETHUSD     | tradfi | said
            # and again, until nothing is left to cut
            DOGE-USD-USD   | crypto | -                                       | DOGE       | crypto | directory
            DOGE-.USDT._   | crypto | -                                       | DOGE       | crypto | directory
            DOGEUSDUSDT    | crypto | -                                       | DOGE       | crypto | directory
            DOGE-USDUSD    | crypto | -                                       | DOGE       | crypto | directory
            # but never all of it
            USD            | crypto | -                                       | USD        | crypto | said
            -USD           | crypto | -                                       | USD        | crypto | said
            ./_            | crypto | -                                       | ./_        | crypto | said
            # aliases are resolved
            XBT            | crypto | -                                       | BTC        | crypto | directory
            XDG            | crypto | -                                       | DOGE       | crypto | directory
            XDG-USD        | crypto | -                                       | DOGE       | crypto | directory
            XBTUSD         | crypto | -                                       | BTC        | crypto | directory
            BRK-B          | tradfi | -                                       | BRK.B      | tradfi | directory
            xdg            | crypto | held DOGE crypto                        | DOGE       | crypto | held
            # held beats listed, listed beats the directory, and none of them asks the call
            BTC            | tradfi | -                                       | BTC        | crypto | directory
            SPY            | crypto | -                                       | SPY        | tradfi | directory
            SOL            | crypto | listed SOL tradfi                       | SOL        | tradfi | listed
            SOL            | tradfi | held SOL crypto, listed SOL tradfi      | SOL        | crypto | held
            SOL            | crypto | held SOL tradfi                         | SOL        | tradfi | held
            GROVE          | tradfi | listed GROVE crypto                     | GROVE      | crypto | listed
            COMP           | tradfi | -                                       | COMP       | tradfi | said
            COMP           | tradfi | held COMP crypto                        | COMP       | crypto | held
            # what the statement names is known by its spelling and not by its sleeve
            GROVE          | tradfi | named GROVE                             | GROVE      | tradfi | said
            GROVE-USD      | tradfi | named GROVE-USD                         | GROVE-USD  | tradfi | said
            # a statement of an older version may name an alias or a pair
            XBT            | tradfi | named XBT                               | XBT        | crypto | directory
            DOGE-USD       | tradfi | named DOGE-USD                          | DOGE-USD   | crypto | directory
            """)
    void a_symbol_is_resolved_by_what_the_account_and_the_directory_know(
            String sent, String said, String account, String symbol, String sleeve, String source) {
        AssetResolver resolver = new AssetResolver(AssetDirectory.builtIn(), Says.read(account));

        ResolvedAsset asset = resolver.resolve(new AssetSymbol(sent), type(said), sent);

        assertThat(asset.symbol().value() + " " + asset.assetType().wireName() + " "
                        + asset.source().wireName())
                .isEqualTo(symbol + " " + sleeve + " " + source);
        assertThat(asset.sent()).isEqualTo(sent);
        assertThat(resolver.canonical(asset.symbol()))
                .describedAs("resolved again")
                .isEqualTo(asset.symbol());
    }

    @Test
    void only_unknown_assets_depend_on_their_treatment_by_the_account() {
        AssetResolver resolver = AssetResolver.ofDirectory();
        ResolvedAsset known = resolver.resolve(new AssetSymbol("BTC"), AssetType.CRYPTO, "BTC");
        ResolvedAsset said = resolver.resolve(new AssetSymbol("GROVE"), AssetType.CRYPTO, "GROVE");

        assertThat(known.under(UnknownAssets.BLOCK)).isEqualTo(known);
        assertThat(said.under(UnknownAssets.BLOCK).source()).isEqualTo(ResolvedAsset.Source.UNKNOWN);
        assertThat(said.under(UnknownAssets.BLOCK).under(UnknownAssets.AS_SAID)).isEqualTo(said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BTC-USD", "XBT", "BTC.", "BTCUSDT"})
    void two_spellings_of_one_asset_in_a_list_are_a_problem_that_names_both(String spelling) {
        List<AssetSymbol> symbols = List.of(new AssetSymbol("BTC"), new AssetSymbol("SPY"), new AssetSymbol(spelling));

        assertThat(AssetResolver.ofDirectory()
                        .canonical("when.symbols", symbols, symbol -> false)
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("when.symbols");
                    assertThat(problem.message())
                            .isEqualTo("when.symbols lists BTC twice: BTC and " + spelling
                                    + " are spellings of one asset.");
                });
    }

    private static AssetType type(String word) {
        return AssetType.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
