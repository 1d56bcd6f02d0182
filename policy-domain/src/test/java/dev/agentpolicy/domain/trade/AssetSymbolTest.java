package dev.agentpolicy.domain.trade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The characters of a ticker. */
class AssetSymbolTest {

    @Test
    void a_ticker_is_kept_in_upper_case_and_may_have_every_character_of_its_kind() {
        assertThat(new AssetSymbol("azAZ09.-/_")).hasToString("AZAZ09.-/_");
        assertThat(AssetSymbol.of("btc")).isEqualTo(new AssetSymbol("BTC"));
        assertThat(AssetSymbol.of("x".repeat(32))).hasToString("X".repeat(32));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "[", "`", "{", ":", ",", "a b", "\u00e9", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
    void other_texts_are_not_tickers(String text) {
        assertThat(AssetSymbol.of(text)).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AssetSymbol(text))
                .withMessage("assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.");
    }

    @Test
    void tickers_are_ordered_by_their_letters() {
        assertThat(new AssetSymbol("AGG")).isLessThan(new AssetSymbol("BTC"));
        assertThat(new AssetSymbol("btc")).isEqualByComparingTo(new AssetSymbol("BTC"));
    }
}
