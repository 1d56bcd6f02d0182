package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.usage.CallRecord;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what every answer has in common. */
class CommonAnswerHeadersTest {
    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_request_id_of_the_caller_is_returned() {
        Seen seen = agent.with("X-Request-Id", "my-call_1.2").get("/api/agent/v1/nothing");

        assertThat(seen.header("X-Request-Id")).isEqualTo("my-call_1.2");
        assertThat(seen.json().get("requestId").textValue()).isEqualTo("my-call_1.2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "<script>", "", "é", "a;b"})
    void a_malformed_request_id_is_replaced(String id) {
        assertThat(agent.with("X-Request-Id", id).get("/api/agent/v1/whoami").header("X-Request-Id"))
                .matches("[0-9a-f]{32}");
    }

    @Test
    void a_request_id_that_is_too_long_is_replaced() {
        assertThat(agent.with("X-Request-Id", "x".repeat(65))
                        .get("/api/agent/v1/whoami")
                        .header("X-Request-Id"))
                .matches("[0-9a-f]{32}");
        assertThat(agent.with("X-Request-Id", "x".repeat(64))
                        .get("/api/agent/v1/whoami")
                        .header("X-Request-Id"))
                .hasSize(64);
    }

    @Test
    void browsers_get_restrictive_headers() {
        for (String path : List.of("/api/agent/v1/whoami", "/", "/api/agent/v1/broken", "/api/app/v1/me")) {
            Seen seen = agent.get(path);
            assertThat(seen.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(seen.header("X-Frame-Options")).isEqualTo("DENY");
            assertThat(seen.header("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(seen.header("Content-Security-Policy")).startsWith("default-src 'none'");
            assertThat(seen.header("Cache-Control")).isEqualTo("no-store");
            assertThat(seen.header("Server")).isNull();
        }
    }

    @Test
    void malformed_http_is_answered_with_the_security_headers() {
        String answer = RawCall.send(service.server.port(), "THIS IS NO HTTP\r\n\r\n");

        assertThat(answer)
                .contains("X-Request-Id: ")
                .contains("X-Content-Type-Options: nosniff")
                .contains("X-Frame-Options: DENY")
                .contains("Referrer-Policy: no-referrer")
                .contains("Content-Security-Policy: default-src 'none'")
                .contains("Cache-Control: no-store")
                .doesNotContainIgnoringCase("Server:")
                .doesNotContainIgnoringCase("jetty");
    }

    @Test
    void every_answer_to_a_test_key_is_marked() {
        Client tester = service.client().withKey(service.testKey());

        assertThat(List.of(
                        tester.post(VALIDATE, TRADE),
                        tester.post(VALIDATE, "{"),
                        tester.post(PROPOSE, TRADE),
                        tester.get("/api/agent/v1/whoami"),
                        tester.get("/api/agent/v1/audit?limit=0"),
                        tester.get("/api/agent/v1/nothing"),
                        tester.get(VALIDATE),
                        tester.get("/api/agent/v1/broken"),
                        tester.get("/api/agent/v1/signing-keys")))
                .allSatisfy(seen -> assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true"));
        assertThat(agent.get("/api/agent/v1/whoami").header("X-Service-Sandbox"))
                .isNull();
        assertThat(service.store.eventLog().head(service.user).seq())
                .as("nothing but the two keys and the policy is in the log")
                .isEqualTo(3);
    }

    @Test
    void every_answer_to_a_test_key_over_its_budget_is_marked() {
        Client tester = service.client().withKey(service.testKey());
        for (int call = 0; call < TestService.PER_SECOND; call++) {
            tester.get("/api/agent/v1/nothing");
        }

        Seen seen = tester.get("/api/agent/v1/whoami");

        assertThat(seen.status()).isEqualTo(429);
        assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true");
    }

    @Test
    void a_decision_has_its_position_in_the_log() {
        for (String path : List.of(VALIDATE, PROPOSE)) {
            Seen seen = agent.post(path, TRADE);
            long seq = Long.parseLong(seen.header("X-Policy-Event-Seq"));

            assertThat(service.store.eventLog().head(service.user).seq()).isEqualTo(seq);
            assertThat(service.store.eventLog().head(service.user).hash())
                    .isEqualTo(seen.header("X-Policy-Event-Hash"));
        }
        assertThat(agent.get("/api/agent/v1/whoami").header("X-Policy-Event-Seq"))
                .isNull();
        assertThat(agent.post(VALIDATE, "{").header("X-Policy-Event-Seq")).isNull();
    }

    @Test
    void head_answers_like_get_without_a_body() {
        Seen head = agent.send("HEAD", "/api/agent/v1/whoami", BodyPublishers.noBody());

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.header("Content-Type")).isEqualTo("application/json");
        Expect.budget(head, 49);
        assertThat(service.client()
                        .send("HEAD", "/api/agent/v1/whoami", BodyPublishers.noBody())
                        .status())
                .isEqualTo(401);
    }

    @Test
    void options_lists_the_methods_of_a_path() {
        Seen options = service.client().send("OPTIONS", "/api/agent/v1/whoami", BodyPublishers.noBody());

        assertThat(options.status()).isEqualTo(204);
        assertThat(options.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(options.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
        Expect.budget(options, 49);
    }

    @Test
    void every_call_with_a_key_is_recorded_under_its_route() {
        agent.get("/api/agent/v1/whoami");
        agent.get("/api/agent/v1/no/such/" + "x".repeat(100));
        agent.post(VALIDATE, TRADE);
        agent.send("PATCH", VALIDATE, BodyPublishers.noBody());
        agent.send("BEFORE", VALIDATE, BodyPublishers.noBody());
        agent.send("PATCH", VALIDATE + "/more", BodyPublishers.noBody());
        agent.get("/api/agent/v1/broken");
        agent.get("/api/agent/v1/signing-keys");
        service.client().get("/api/agent/v1/whoami");

        assertThat(service.noted.all())
                .extracting(CallRecord::path, CallRecord::status)
                .containsExactly(
                        tuple("/api/agent/v1/whoami", 200),
                        tuple("(unknown)", 404),
                        tuple(VALIDATE, 200),
                        tuple(VALIDATE, 405),
                        tuple(VALIDATE, 405),
                        tuple("(unknown)", 404),
                        tuple("/api/agent/v1/broken", 500),
                        tuple("/api/agent/v1/signing-keys", 200));
        assertThat(service.noted.all()).allSatisfy(call -> {
            assertThat(call.latencyMicros()).isBetween(1L, 10_000_000L);
            assertThat(call.userId()).isEqualTo(service.user);
            assertThat(call.at()).isEqualTo(TestService.NOW);
        });
    }
}
