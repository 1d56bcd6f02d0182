package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstrumentTest {

    @ParameterizedTest
    @CsvSource({
        "BTC/USD, crypto, BTC, CRYPTO",
        "BTCUSD, crypto, BTC, CRYPTO",
        "BTC, crypto, BTC, CRYPTO",
        "BTC/USDT, crypto, BTC, CRYPTO",
        "BTC/USDC, crypto, BTC, CRYPTO",
        "ETH/BTC, crypto, ETH/BTC, CRYPTO",
        "USDTUSD, crypto, USDT, CRYPTO",
        "USDC/USD, crypto, USDC, CRYPTO",
        "USDT, crypto, USDT, CRYPTO",
        "PYUSD, crypto, PYUSD, CRYPTO",
        "AAPL, us_equity, AAPL, TRADFI",
        "BRK.B, us_equity, BRK.B, TRADFI",
        "AAPL250620C00100000, us_option, AAPL250620C00100000, TRADFI"
    })
    void a_symbol_with_its_class_has_one_name(String symbol, String assetClass, String canonical, AssetType type)
            throws FailedAttempt {
        assertThat(Instrument.of(symbol, assetClass)).isEqualTo(new Instrument(new AssetSymbol(canonical), type));
    }

    @ParameterizedTest
    @CsvSource({
        "BTC/USD, BTC, CRYPTO",
        "BTCUSD, BTC, CRYPTO",
        "DOGEUSD, DOGE, CRYPTO",
        "AAPL, AAPL, TRADFI",
        "SPY, SPY, TRADFI",
        "BRK.B, BRK.B, TRADFI",
        "AAPL250620C00100000, AAPL250620C00100000, TRADFI"
    })
    void the_symbol_of_a_fill_tells_its_sleeve(String symbol, String canonical, AssetType type) throws FailedAttempt {
        assertThat(Instrument.of(symbol)).isEqualTo(new Instrument(new AssetSymbol(canonical), type));
    }

    @ParameterizedTest
    @CsvSource({
        "BTC, CRYPTO, BTC/USD",
        "BTCUSD, CRYPTO, BTC/USD",
        "BTC/USD, CRYPTO, BTC/USD",
        "USDT, CRYPTO, USDT/USD",
        "AAPL, TRADFI, AAPL",
        "BRK.B, TRADFI, BRK.B"
    })
    void an_order_names_coins_by_their_pair_with_the_dollar(String symbol, AssetType type, String sent) {
        assertThat(new Instrument(new AssetSymbol(symbol), type).orderSymbol()).isEqualTo(sent);
    }

    @Test
    void a_text_that_is_no_symbol_makes_an_answer_malformed() {
        assertThatThrownBy(() -> Instrument.of("a b", "us_equity")).isInstanceOf(FailedAttempt.class);
        assertThatThrownBy(() -> Instrument.of("", "crypto")).isInstanceOf(FailedAttempt.class);
    }
}
