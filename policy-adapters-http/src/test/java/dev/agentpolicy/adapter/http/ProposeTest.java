package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

public class ProposeTest {
    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void an_allowed_trade_becomes_a_request() {
        JsonNode body = agent.post(PROPOSE, TRADE.replace("}", ",\"rationale\":\"Rebalance\"}"))
                .json();

        assertThat(names(body)).containsExactly("proposed", "decision", "serviceRequestId", "message", "idempotent");
        assertThat(body.get("proposed").booleanValue()).isTrue();
        assertThat(body.at("/decision/allowed").booleanValue()).isTrue();
        assertThat(body.get("serviceRequestId").intValue()).isEqualTo(1);
        assertThat(body.get("message").textValue()).isEqualTo("Request 1 waits for the user to accept or reject it.");
        assertThat(body.get("idempotent").booleanValue()).isFalse();
    }

    @Test
    void a_blocked_trade_is_answered_without_a_request() {
        Seen seen = agent.post(PROPOSE, TRADE.replace("100", "90000"));
        JsonNode body = seen.json();

        assertThat(seen.status()).isEqualTo(200);
        assertThat(names(body)).containsExactly("proposed", "decision", "message", "idempotent");
        assertThat(body.get("proposed").booleanValue()).isFalse();
        assertThat(body.at("/decision/violations/0/rule").textValue()).isEqualTo("crypto_max_allocation");
        assertThat(service.store.requestQueue().page(service.user, null, null, 10))
                .isEmpty();
    }

    @Test
    void a_repeated_idempotency_key_creates_no_second_request() {
        Client once = agent.with("Idempotency-Key", "k".repeat(128));
        Seen created = once.post(PROPOSE, TRADE);
        JsonNode first = created.json();

        Seen same = once.post(PROPOSE, TRADE);
        Seen other = once.post(PROPOSE, TRADE.replace("100", "200"));

        assertThat(names(same.json())).containsExactly("proposed", "serviceRequestId", "message", "idempotent");
        assertThat(same.json().get("proposed").booleanValue()).isTrue();
        assertThat(same.json().get("idempotent").booleanValue()).isTrue();
        assertThat(same.json().get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        assertThat(same.json().get("message").textValue())
                .isEqualTo("This Idempotency-Key was used before; this is the request it created.");
        for (Seen replay : List.of(same, other)) {
            assertThat(replay.header("X-Policy-Event-Seq")).isEqualTo(created.header("X-Policy-Event-Seq"));
            assertThat(replay.header("X-Policy-Event-Hash")).isEqualTo(created.header("X-Policy-Event-Hash"));
        }
        assertThat(other.json().get("serviceRequestId")).isEqualTo(first.get("serviceRequestId"));
        assertThat(other.json().get("message").textValue()).contains("with a different body");
        assertThat(service.store.requestQueue().page(service.user, null, null, 10))
                .hasSize(1);
    }

    @Test
    void an_idempotency_key_that_is_empty_too_long_or_sent_twice_is_refused() {
        String refused = "{\"error\":\"invalid_parameter\",\"message\":"
                + "\"Idempotency-Key must be one header of 1 to 128 characters.\"}";

        Expect.error(agent.with("Idempotency-Key", "").post(PROPOSE, TRADE), 400, refused);
        Expect.error(agent.with("Idempotency-Key", "k".repeat(129)).post(PROPOSE, TRADE), 400, refused);
        Expect.error(
                agent.with("Idempotency-Key", "a").with("Idempotency-Key", "b").post(PROPOSE, TRADE), 400, refused);
    }

    @Test
    void a_rationale_has_at_most_500_plain_characters() {
        Expect.invalidPayload(
                agent.post(PROPOSE, TRADE.replace("}", ",\"rationale\":\"" + "x".repeat(501) + "\"}")),
                "proposed",
                "rationale must have 0 to 500 characters.");
        Expect.invalidPayload(
                agent.post(PROPOSE, TRADE.replace("}", ",\"rationale\":\"a\\u0000b\"}")),
                "proposed",
                "rationale must not contain control characters or broken Unicode.");
        Expect.invalidPayload(
                agent.post(Client.VALIDATE, TRADE.replace("}", ",\"rationale\":\"no\"}")),
                "allowed",
                "rationale is not a known field.");
    }

    @Test
    void a_test_key_gets_a_request_that_is_not_real() {
        Client tester = service.client().withKey(service.testKey()).with("Idempotency-Key", "a");

        assertThat(tester.post(PROPOSE, TRADE).json().get("serviceRequestId").intValue())
                .isNegative();
        assertThat(tester.post(PROPOSE, TRADE).json().get("idempotent").booleanValue())
                .isTrue();
        assertThat(service.store.requestQueue().page(service.user, null, null, 10))
                .isEmpty();
    }

    public static Iterable<String> names(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
    }
}
