package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which address the AuthZEN metadata name where no base URL is configured. */
class AuthzenAddressTest {
    private static final HttpConfig CONFIG = HttpConfig.of("127.0.0.1", 0, List.of());

    @ParameterizedTest
    @CsvSource({
        "policy.example.com, http://policy.example.com",
        "policy.example.com:8443, http://policy.example.com:8443",
        "[::1]:8080, http://[::1]:8080",
        "10.0.0.7, http://10.0.0.7"
    })
    void it_is_the_host_of_the_request(String host, String base) {
        try (TestService service = new TestService(CONFIG)) {
            assertThat(ask(service, "HTTP/1.1\r\nHost: " + host)).contains(metadata(base));
        }
    }

    @ParameterizedTest
    @CsvSource({"NO, http", "YES, https"})
    void the_scheme_is_that_of_a_trusted_proxy_only(String trusted, String scheme) {
        HttpConfig config = trusted.equals("YES") ? CONFIG.trustingProxy() : CONFIG;
        try (TestService service = new TestService(config)) {
            assertThat(ask(service, "HTTP/1.1\r\nHost: policy.example.com\r\nX-Forwarded-Proto: https"))
                    .contains(metadata(scheme + "://policy.example.com"));
        }
    }

    @Test
    void it_is_where_the_server_listens_if_the_request_names_no_host() {
        try (TestService service = new TestService(CONFIG)) {
            assertThat(ask(service, "HTTP/1.0")).contains(metadata(service.server.address()));
        }
    }

    @ParameterizedTest
    @CsvSource({"a\"b", "<script>", "a/b", "user@host", "%0a"})
    void a_host_that_is_none_is_never_repeated(String host) {
        try (TestService service = new TestService(CONFIG)) {
            assertThat(ask(service, "HTTP/1.1\r\nHost: " + host))
                    .doesNotContain("://" + host)
                    .containsAnyOf("bad_request", metadata(service.server.address()));
        }
    }

    private static String ask(TestService service, String rest) {
        return RawCall.send(
                service.server.port(),
                "GET /.well-known/authzen-configuration " + rest + "\r\nConnection: close\r\n\r\n");
    }

    private static String metadata(String base) {
        return "{\"policy_decision_point\":\"" + base + "\",\"access_evaluation_endpoint\":\"" + base
                + "/access/v1/evaluation\"";
    }
}
