package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlpacaAddressTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://paper-api.alpaca.markets",
                "https://api.alpaca.markets/",
                "https://broker.example:8443",
                "http://127.0.0.1:8080",
                "http://localhost:8080/",
                "http://[::1]:8080"
            })
    void an_origin_by_https_or_on_loopback_is_an_address(String text) {
        String origin = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;

        assertThat(AlpacaAddress.of(text).resolve("/v2/account?a=b")).hasToString(origin + "/v2/account?a=b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "paper-api.alpaca.markets",
                "http://paper-api.alpaca.markets",
                "http://127.0.0.1.evil.example",
                "http://localhost.evil.example",
                "http://128.0.0.1",
                "https://api.alpaca.markets/v2",
                "https://api.alpaca.markets/v2/",
                "https://api.alpaca.markets?a",
                "https://api.alpaca.markets#a",
                "https://user:word@api.alpaca.markets",
                "ftp://127.0.0.1",
                "file:///etc/passwd",
                "https://",
                "https:///v2",
                "ht tp://x"
            })
    void everything_else_is_refused(String text) {
        assertThatThrownBy(() -> AlpacaAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The address of the Trading API");
    }
}
