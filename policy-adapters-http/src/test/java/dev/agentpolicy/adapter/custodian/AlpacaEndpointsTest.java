package dev.agentpolicy.adapter.custodian;

import static dev.agentpolicy.adapter.custodian.Broker.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlpacaEndpointsTest {
    private final AlpacaEndpoints endpoints = new AlpacaEndpoints(
            new AlpacaTransport(URI.create("http://127.0.0.1:1"), PATIENT, InstantSource.system()),
            Optional.empty(),
            new AlpacaTransport(URI.create("http://127.0.0.1:1"), PATIENT, InstantSource.system()));

    @Test
    void the_text_of_a_client_contains_no_credentials() {
        assertThat(client("PK123", "s3cret").toString()).doesNotContain("PK123", "s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "with space", "line\r\nX-Other: 1", "käse", "tab\t"})
    void what_is_no_header_value_is_refused_without_repeating_it(String secret) {
        assertThatThrownBy(() -> client("PK123", secret))
                .isInstanceOf(CustodianFailure.class)
                .hasMessage("secretKey must be 1 to 128 printable ASCII characters without spaces.");
        assertThatThrownBy(() -> client("x".repeat(129), "s3cret")).hasMessageStartingWith("keyId must be 1 to 128");
    }

    private AlpacaClient client(String keyId, String secretKey) {
        return endpoints.client(new BrokerCredentials(BrokerEnvironment.PAPER, keyId, secretKey));
    }
}
