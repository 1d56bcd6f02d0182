package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of the error table (docs/reference/errors.md): whole bodies and headers. */
class ErrorTableTest {
    private static final String UNAUTHORIZED =
            "{\"error\":\"unauthorized\",\"message\":\"A valid API key is required: Authorization: Bearer <API_KEY>.\"}";

    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void no_key_is_unauthorized_whatever_the_body() {
        Seen seen = service.client()
                .with("Content-Type", "text/plain")
                .send("POST", VALIDATE, BodyPublishers.ofString("{"));

        Expect.error(seen, 401, UNAUTHORIZED);
        assertThat(seen.header("WWW-Authenticate"))
                .isEqualTo("Bearer " + metadata() + ", scope=\"read validate propose\"");
        Expect.budget(seen, 49);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer x",
                "Basic dXNlcjpwYXNz",
                "Bearer svc_live_0",
                "svc_live_0000",
                "Bearer svc_live_ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "Bearer svc_test_ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
            })
    void a_malformed_or_unknown_key_is_unauthorized(String authorization) {
        Seen seen = service.client().with("Authorization", authorization).get("/api/agent/v1/whoami");

        Expect.error(seen, 401, UNAUTHORIZED);
        assertThat(seen.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"invalid_token\", " + metadata() + ", scope=\"read validate propose\"");
    }

    @Test
    void a_caller_at_another_name_is_told_of_no_metadata() {
        Client other = new Client("http://[::ffff:127.0.0.1]:" + service.server.port());

        assertThat(other.get("/api/agent/v1/whoami").header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(other.withKey("x").get("/api/agent/v1/whoami").header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"invalid_token\"");
        assertThat(other.withKey(service.key(Scope.READ)).post(PROPOSE, TRADE).header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", scope=\"propose\"");
    }

    private String metadata() {
        return "resource_metadata=\"" + service.server.address() + "/.well-known/oauth-protected-resource\"";
    }

    @Test
    void two_authorization_headers_are_unauthorized() {
        Seen seen = agent.withKey(service.key()).get("/api/agent/v1/whoami");

        Expect.error(seen, 401, UNAUTHORIZED);
    }

    @Test
    void the_name_of_the_scheme_is_case_insensitive() {
        assertThat(service.client()
                        .with("Authorization", "bEARER  " + service.key())
                        .get("/api/agent/v1/whoami")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_revoked_key_is_unauthorized_with_the_next_call() {
        String id = service.issueKeys.list(service.user).get(0).id().toString();
        assertThat(agent.get("/api/agent/v1/whoami").status()).isEqualTo(200);

        service.issueKeys
                .revoke(service.user, new AgentKeyId(UUID.fromString(id)))
                .toCompletableFuture()
                .join();

        Expect.error(agent.get("/api/agent/v1/whoami"), 401, UNAUTHORIZED);
        Expect.error(agent.post(VALIDATE, TRADE), 401, UNAUTHORIZED);
    }

    @Test
    void a_key_without_the_scope_is_forbidden() {
        Client reader = service.client().withKey(service.key(Scope.READ));

        Seen propose = reader.post(PROPOSE, TRADE);

        Expect.error(propose, 403, "{\"error\":\"forbidden\",\"message\":\"This key lacks the scope propose.\"}");
        assertThat(propose.header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", " + metadata() + ", scope=\"propose\"");
        Expect.budget(propose, 49);
        assertThat(reader.post(VALIDATE, "not json").header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", " + metadata() + ", scope=\"validate\"");
        assertThat(reader.get("/api/agent/v1/mandate").status()).isEqualTo(200);
        assertThat(service.client()
                        .withKey(service.key(Scope.PROPOSE))
                        .get("/api/agent/v1/mandate")
                        .header("WWW-Authenticate"))
                .isEqualTo("Bearer error=\"insufficient_scope\", " + metadata() + ", scope=\"read\"");
    }

    @Test
    void whoami_needs_no_particular_scope() {
        Client proposer = service.client().withKey(service.key(Scope.PROPOSE));

        assertThat(proposer.get("/api/agent/v1/whoami").json())
                .isEqualTo(Client.json(
                        "{\"userId\":\"" + service.user + "\",\"scopes\":[\"propose\"],\"keyType\":\"live\","
                                + "\"rateLimit\":{\"perSecond\":50,\"remainingThisSecond\":49,\"resetSeconds\":1},"
                                + "\"productLine\":\"Agent Policy\"}"));
    }

    @Test
    void an_invalid_payload_is_answered_with_a_negative_decision() {
        String wrong =
                "{\"action\":\"hold\",\"assetSymbol\":\"ETH\",\"assetType\":\"crypto\",\"amountUsd\":\"1\",\"x\":1}";

        Expect.invalidPayload(
                agent.post(VALIDATE, wrong),
                "allowed",
                "action must be buy or sell.",
                "amountUsd must be a number.",
                "x is not a known field.");
        Expect.invalidPayload(
                agent.post(PROPOSE, wrong),
                "proposed",
                "action must be buy or sell.",
                "amountUsd must be a number.",
                "x is not a known field.");
        Expect.invalidPayload(agent.post(VALIDATE, "{"), "allowed", "The body is not valid JSON.");
        Expect.invalidPayload(agent.post(PROPOSE, ""), "proposed", "The body is empty; it must be a JSON object.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999", "1e1000000000", "-1", "1000000000001", "-1e-5"})
    void an_amount_out_of_range_is_an_invalid_field(String amount) {
        Expect.invalidPayload(
                agent.post(VALIDATE, TRADE.replace("100", amount)),
                "allowed",
                "amountUsd must be a number from 0 to 1000000000000.");
    }

    @Test
    void a_repeated_field_is_an_invalid_field() {
        Expect.invalidPayload(
                agent.post(VALIDATE, TRADE.replace("}", ",\"amountUsd\":1}")),
                "allowed",
                "amountUsd appears more than once.");
    }

    @Test
    void an_unknown_path_is_not_found_with_a_key_or_without() {
        String body = "{\"error\":\"not_found\",\"message\":\"There is nothing at this path.\"}";

        Expect.error(service.client().get("/api/agent/v1/nothing"), 404, body);
        Expect.error(agent.post("/api/agent/v1/trades/execute", "{}"), 404, body);
        Expect.error(agent.get("/api/agent/v1/whoami/"), 404, body);
        Expect.error(service.client().get("/"), 404, body);
        Expect.error(service.client().get("/api/app/v1/nothing"), 404, body);
        Expect.budget(agent.get("/api/agent/v1/%2e%2e/whoami"), 47);
    }

    @Test
    void a_wrong_method_is_answered_with_the_supported_ones() {
        Seen seen = agent.get(VALIDATE);

        Expect.error(seen, 405, "{\"error\":\"method_not_allowed\",\"message\":\"This path allows POST, OPTIONS.\"}");
        assertThat(seen.header("Allow")).isEqualTo("POST, OPTIONS");
        Expect.budget(seen, 49);
        assertThat(agent.post("/api/agent/v1/whoami", "{}").header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }

    @Test
    void an_unknown_method_is_a_wrong_method() {
        Seen seen = agent.send("BEFORE", "/api/agent/v1/whoami", BodyPublishers.noBody());

        Expect.error(
                seen, 405, "{\"error\":\"method_not_allowed\",\"message\":\"This path allows GET, HEAD, OPTIONS.\"}");
        assertThat(seen.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        Expect.budget(seen, 49);
        assertThat(agent.send("AFTER", "/api/app/v1/keys/1/rotate", BodyPublishers.noBody())
                        .header("Allow"))
                .isEqualTo("OPTIONS, POST");
        assertThat(agent.send("AFTER", "/api/agent/v1/nothing", BodyPublishers.noBody())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void the_budget_is_renewed_every_second() {
        for (int call = 1; call <= 50; call++) {
            Expect.budget(agent.get("/api/agent/v1/whoami"), 50 - call);
        }
        Seen over = agent.get("/api/agent/v1/whoami");

        Expect.error(
                over,
                429,
                "{\"error\":\"rate_limit_exceeded\",\"message\":\"More than 50 calls in one second; wait for the next.\","
                        + "\"limit\":50,\"resetSeconds\":1}");
        Expect.budget(over, 0);
        assertThat(over.header("Retry-After")).isEqualTo("1");
        assertThat(agent.get("/api/agent/v1/nothing").status()).isEqualTo(429);
        assertThat(agent.get(VALIDATE).status()).isEqualTo(429);
        assertThat(agent.get("/api/agent/v1/signing-keys").status()).isEqualTo(429);
        assertThat(service.client()
                        .withKey(service.key())
                        .get("/api/agent/v1/whoami")
                        .status())
                .isEqualTo(200);

        service.clock.advance(Duration.ofSeconds(1));
        Expect.budget(agent.get("/api/agent/v1/whoami"), 49);
    }

    @Test
    void callers_without_a_key_share_the_budget_of_their_address() {
        Client stranger = service.client();
        for (int call = 1; call <= 50; call++) {
            stranger.withKey("guess " + call).get("/api/agent/v1/" + (call % 2 == 0 ? "whoami" : "signing-keys"));
        }

        assertThat(stranger.get("/api/agent/v1/signing-keys").status()).isEqualTo(429);
        assertThat(stranger.get("/api/agent/v1/nothing").status()).isEqualTo(429);
        assertThat(stranger.get("/api/agent/v1/whoami").status()).isEqualTo(429);
        assertThat(agent.get("/api/agent/v1/signing-keys").status()).isEqualTo(200);
    }

    @Test
    void an_exhausted_daily_cap_says_when_the_day_ends() {
        KeyPolicy two = new KeyPolicy(2, null, null, null, null);
        Client capped = service.client().withKey(service.key(KeyType.LIVE, two, Scope.values()));
        capped.post(VALIDATE, TRADE);
        capped.post(PROPOSE, TRADE);

        Seen seen = capped.post(VALIDATE, TRADE);

        Expect.error(
                seen,
                429,
                "{\"error\":\"daily_call_cap_exceeded\",\"message\":"
                        + "\"The daily cap of 2 calls of this key is used up until midnight UTC.\",\"limit\":2}");
        assertThat(seen.header("Retry-After")).isEqualTo("32155");
        Expect.budget(seen, 47);
        assertThat(capped.post(PROPOSE, TRADE).status()).isEqualTo(429);
        assertThat(capped.get("/api/agent/v1/mandate")
                        .json()
                        .at("/keyPolicy/callsRemainingToday")
                        .intValue())
                .isZero();
    }

    @Test
    void an_unreachable_store_is_503_with_retry_after() {
        service.store.away(true);

        Seen seen = agent.post(VALIDATE, TRADE);

        Expect.error(
                seen,
                503,
                "{\"error\":\"unavailable\",\"message\":\"The service cannot answer at the moment; try again.\"}");
        assertThat(seen.header("Retry-After")).isEqualTo("1");
        Expect.budget(seen, 49);
    }

    @Test
    void an_internal_error_reveals_only_its_id() {
        Seen seen = agent.get("/api/agent/v1/broken");

        Expect.error(
                seen,
                500,
                "{\"error\":\"internal_error\",\"message\":"
                        + "\"Something went wrong in the service; it was noted under this requestId.\"}");
        assertThat(seen.text()).doesNotContain("secret").doesNotContain("Exception");
        assertThat(service.logged.lines())
                .containsExactly("Call " + seen.header("X-Request-Id") + " failed. secret of the house");
        Expect.budget(seen, 49);
    }
}
