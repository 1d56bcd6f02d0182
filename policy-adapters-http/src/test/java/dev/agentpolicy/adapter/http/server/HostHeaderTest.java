package dev.agentpolicy.adapter.http.server;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.RawCall;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.console.ConsoleFiles;
import dev.agentpolicy.adapter.http.metric.Metrics;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name that an attacker points at this address is not the host of the console. */
class HostHeaderTest {
    private static final String SIGN_IN = "{\"email\":\"ann@example.org\",\"password\":\"correct horse battery\"}";

    private final HttpConfig config =
            HttpConfig.of("127.0.0.1", 0, List.of("https://policy.example")).withAppHost("policy.example");
    private final TestService service = new TestService(config);
    private final HttpServer console = HttpServer.start(
            config, new CallGate(null, null, service.clock, config), ConsoleFiles.routes(config), new Metrics());

    @AfterEach
    void stop() {
        console.close();
        service.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "policy.example.evil.example", "127.0.0.1", "localhost:8080", "[::1]:8080"})
    void another_host_is_421_in_the_app_api_and_the_console(String host) {
        for (String answer : List.of(
                get(service.server, host, APP + "me"),
                post(service.server, host, APP + "session"),
                get(console, host, "/"),
                get(console, host, "/sign-in"))) {
            assertThat(answer)
                    .startsWith("HTTP/1.1 421")
                    .contains("\"error\":\"misdirected_request\"", "\"requestId\":");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "policy.example",
                "Policy.Example",
                "policy.example:443",
                "policy.example:8443",
                "policy.example."
            })
    void the_host_of_the_app_is_answered_whatever_its_port(String host) {
        assertThat(get(service.server, host, APP + "me")).startsWith("HTTP/1.1 401");
        assertThat(get(console, host, "/sign-in")).startsWith("HTTP/1.1 200");
    }

    @Test
    void agents_may_call_any_host() {
        assertThat(get(service.server, "10.0.0.7:8080", "/api/agent/v1/signing-keys"))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void without_a_configured_address_any_host_is_accepted() {
        try (TestService open = new TestService()) {
            assertThat(get(open.server, "whatever.example", APP + "me")).startsWith("HTTP/1.1 401");
        }
    }

    private static String get(HttpServer server, String host, String path) {
        return RawCall.send(server.port(), head("GET", host, path) + "\r\n");
    }

    private static String post(HttpServer server, String host, String path) {
        return RawCall.send(
                server.port(),
                head("POST", host, path) + "Content-Type: application/json\r\nContent-Length: " + SIGN_IN.length()
                        + "\r\n\r\n" + SIGN_IN);
    }

    private static String head(String method, String host, String path) {
        return String.join(
                "",
                Stream.of(method + " " + path + " HTTP/1.1", "Host: " + host, "Connection: close")
                        .map(line -> line + "\r\n")
                        .toList());
    }
}
