package dev.agentpolicy.adapter.custodian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlpacaCredentialsTest {

    @Test
    void their_text_contains_neither() {
        assertThat(AlpacaCredentials.of("PK123", "s3cret")).hasToString("AlpacaCredentials[[hidden]]");
    }

    @Test
    void a_text_of_the_broker_is_passed_on_without_them() {
        assertThat(AlpacaCredentials.of("PK123", "s3cret").hide("key PK123 with s3cret is unknown"))
                .isEqualTo("key [hidden] with [hidden] is unknown");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with space", "line\r\nX-Other: 1", "käse", "tab\t"})
    void what_is_no_header_value_is_refused_without_repeating_it(String secret) {
        assertThatThrownBy(() -> AlpacaCredentials.of("PK123", secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("secretKey must be 1 to 128 printable ASCII characters without spaces.");
        assertThatThrownBy(() -> AlpacaCredentials.of("x".repeat(129), "s3cret"))
                .hasMessageStartingWith("keyId must be 1 to 128");
    }
}
