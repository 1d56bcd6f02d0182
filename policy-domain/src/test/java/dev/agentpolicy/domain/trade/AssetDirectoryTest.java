package dev.agentpolicy.domain.trade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.trade.AssetDirectory.Entry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AssetDirectoryTest {
    private static final AssetDirectory DIRECTORY = AssetDirectory.builtIn();
    private static final List<String> LARGEST = List.of(
            "BTC", "ETH", "USDT", "XRP", "BNB", "SOL", "USDC", "DOGE", "TRX", "ADA", "HYPE", "LINK", "BCH", "XLM",
            "SUI", "AVAX", "LTC", "HBAR", "SHIB", "TON");

    @Test
    void it_has_the_hundred_largest_crypto_assets_those_that_wrap_them_and_a_hundred_and_fifty_funds_and_shares() {
        assertThat(DIRECTORY.entries()).hasSize(268);
        assertThat(DIRECTORY.entries().subList(0, 118)).allMatch(entry -> entry.assetType() == AssetType.CRYPTO);
        assertThat(DIRECTORY.entries().subList(118, 268)).allMatch(entry -> entry.assetType() == AssetType.TRADFI);
    }

    @Test
    void the_twenty_largest_crypto_assets_are_never_left_out() {
        assertThat(DIRECTORY.entries().subList(0, AssetDirectory.LARGEST_CRYPTO))
                .extracting(entry -> entry.symbol().value())
                .containsExactlyElementsOf(LARGEST);
    }

    @Test
    void every_symbol_and_alias_names_one_asset() {
        assertThat(DIRECTORY.entries().stream().flatMap(AssetDirectoryTest::spellings))
                .doesNotHaveDuplicates();
    }

    @Test
    void every_symbol_is_spelled_canonically_and_every_alias_leads_to_it() {
        AssetResolver resolver = AssetResolver.ofDirectory();

        for (Entry entry : DIRECTORY.entries()) {
            assertThat(spellings(entry).map(resolver::canonical)).containsOnly(entry.symbol());
            assertThat(spellings(entry).map(DIRECTORY::find)).containsOnly(entry);
        }
    }

    @Test
    void a_symbol_that_means_a_crypto_asset_and_a_share_is_left_out() {
        assertThat(Stream.of("COMP", "NEAR", "ATOM", "DASH", "STX", "SAND", "AXS", "LEO", "T", "W")
                        .map(AssetSymbol::new)
                        .map(DIRECTORY::find))
                .containsOnlyNulls();
    }

    private static Stream<AssetSymbol> spellings(Entry entry) {
        return Stream.concat(Stream.of(entry.symbol()), entry.aliases().stream());
    }
}
