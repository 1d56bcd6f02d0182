package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.BATCH;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.quantity.Usd;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    private static final String TOO_MUCH = TRADE.replace("100", "90000");

    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void every_item_has_its_own_decision_in_the_order_sent() {
        Seen seen = agent.post(
                BATCH,
                trades(TRADE.replace("ETH", "eth"), TOO_MUCH, TRADE.replace("}", ",\"expectedSlippagePct\":0.50}")));
        JsonNode body = seen.json();

        assertThat(seen.status()).isEqualTo(200);
        assertThat(body.get("count").intValue()).isEqualTo(3);
        assertThat(body.get("results").findValuesAsText("index")).containsExactly("0", "1", "2");
        assertThat(body.at("/results/0/payload")).isEqualTo(Client.json(TRADE.replace("ETH", "eth")));
        assertThat(body.at("/results/0/decision/allowed").booleanValue()).isTrue();
        assertThat(body.at("/results/1/decision/violations").findValuesAsText("rule"))
                .containsExactly("crypto_max_allocation", "insufficient_cash");
        assertThat(body.at("/results/2/payload/expectedSlippagePct").decimalValue())
                .isEqualTo("0.5");
        assertThat(body.at("/results/2/decision/checkedAt").textValue()).isEqualTo("2026-11-23T15:04:05.123456Z");
    }

    @Test
    void the_response_names_the_position_of_the_last_decision_in_the_log() {
        Seen seen = agent.post(BATCH, trades(TRADE, TRADE));

        assertThat(seen.header("X-Policy-Event-Seq"))
                .isEqualTo(Long.toString(
                        service.store.eventLog().head(service.user).seq()));
    }

    @Test
    void an_invalid_item_fails_alone_and_is_shown_as_it_was_sent() {
        String unknown = "{ \"action\":\"buy\", \"x\":[{\"y\":2}] }";
        String body = "{\"trades\":[" + TRADE + "," + unknown + ",7,null,[],\"buy\"," + TRADE + "]}";

        Seen seen = agent.post(BATCH, body);
        JsonNode results = seen.json().get("results");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.text()).contains("\"payload\":" + unknown + ",");
        assertThat(results.at("/1/decision/allowed").booleanValue()).isFalse();
        assertThat(results.at("/1/decision/reason").textValue())
                .isEqualTo("4 violations: invalid_payload, invalid_payload, invalid_payload, invalid_payload");
        assertThat(results.at("/1/decision/violations").findValuesAsText("message"))
                .containsExactly(
                        "assetSymbol is missing.",
                        "assetType is missing.",
                        "amountUsd is missing.",
                        "x is not a known field.");
        for (int i = 2; i <= 5; i++) {
            assertThat(results.at("/" + i + "/payload").isNull()).isTrue();
            assertThat(results.at("/" + i + "/decision/violations/0/message").textValue())
                    .isEqualTo("trades[" + i + "] must be an object.");
        }
        assertThat(results.at("/6/decision/allowed").booleanValue()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"x\":1,\"x\":2}", "{\"x\":1e99999999999}", "{\"x\":[{\"y\":1,\"y\":1}]}"})
    void an_invalid_item_with_ambiguous_json_is_not_repeated(String item) {
        Seen seen = agent.post(BATCH, "{\"trades\":[" + item + "]}");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.json().at("/results/0/payload").isNull()).isTrue();
        assertThat(seen.json().at("/results/0/decision/violations")).isNotEmpty();
    }

    @Test
    void an_unpaired_surrogate_invalidates_only_its_item() {
        String symbol = TRADE.replace("ETH", "\\ud800").replace("100", "-1");
        String unknown = TRADE.replace("}", ",\"x\":[\"\\udc00\"]}");

        Seen seen = agent.post(BATCH, trades(symbol, TRADE, unknown, "\"\\ud800\""));
        JsonNode results = seen.json().get("results");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(results.at("/0/decision/violations").findValuesAsText("message"))
                .containsExactly(
                        "assetSymbol has half of a surrogate pair in it.",
                        "amountUsd must be a number from 0 to 1000000000000.");
        assertThat(results.at("/1/decision/allowed").booleanValue()).isTrue();
        assertThat(results.at("/2/decision/violations").findValuesAsText("message"))
                .containsExactly("x is not a known field.");
        assertThat(results.at("/3/decision/violations").findValuesAsText("message"))
                .containsExactly("trades[3] must be an object.");
        assertThat(results.findValues("payload")).extracting(JsonNode::isNull).containsExactly(true, false, true, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 5_000})
    void an_item_nested_too_deep_fails_alone(int depth) {
        String deep = "[".repeat(depth) + "]".repeat(depth);
        String body = trades(TRADE.replace("100", deep), TRADE, deep, "{\"x\":" + deep + "}");

        Seen seen = agent.with("Content-Type", "application/json").send("POST", BATCH, BodyPublishers.ofString(body));
        JsonNode results = seen.json().get("results");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(results.at("/0/decision/violations").findValuesAsText("message"))
                .containsExactly("amountUsd must be a number.");
        assertThat(results.at("/1/decision/allowed").booleanValue()).isTrue();
        assertThat(results.at("/2/decision/violations").findValuesAsText("message"))
                .containsExactly("trades[2] must be an object.");
        assertThat(results.at("/3/decision/violations").findValuesAsText("message"))
                .contains("x is not a known field.");
        assertThat(results.findValues("payload")).extracting(JsonNode::isNull).containsExactly(true, false, true, true);
    }

    @Test
    void malformed_json_outside_of_an_item_fails_the_batch() {
        String deep = "[".repeat(40) + "]".repeat(40);

        Expect.invalidPayload(
                agent.post(BATCH, "{\"trades\":[],\"x\":\"\\ud800\"}"),
                "allowed",
                "The body has half of a surrogate pair in a string.");
        Expect.invalidPayload(
                agent.post(BATCH, "{\"trades\":[],\"x\":" + deep + "}"), "allowed", "x is not a known field.");
        Expect.invalidPayload(
                agent.post(BATCH, "{\"trades\":[" + TRADE + "," + "[".repeat(50_000)),
                "allowed",
                "The body is not valid JSON.");
    }

    @Test
    void a_number_with_too_many_digits_is_not_reported_as_out_of_range() {
        Seen seen = agent.post(BATCH, trades(TRADE.replace("100", "0." + "0".repeat(130)), TRADE));

        assertThat(seen.json().at("/results/0/decision/violations").findValuesAsText("message"))
                .containsExactly("amountUsd has too many digits.");
        assertThat(seen.json().at("/results/1/decision/allowed").booleanValue()).isTrue();
    }

    @Test
    void an_empty_batch_decides_nothing() {
        Seen seen = agent.post(BATCH, "{\"trades\":[]}");

        assertThat(seen.json()).isEqualTo(Client.json("{\"count\":0,\"results\":[]}"));
        assertThat(seen.header("X-Policy-Event-Seq")).isNull();
    }

    @Test
    void a_batch_has_at_most_25_trades() {
        assertThat(agent.post(BATCH, trades(Collections.nCopies(25, TRADE).toArray(new String[0])))
                        .json()
                        .get("count")
                        .intValue())
                .isEqualTo(25);
        Expect.invalidPayload(
                agent.post(BATCH, trades(Collections.nCopies(26, TRADE).toArray(new String[0]))),
                "allowed",
                "trades must have at most 25 items.");
    }

    @Test
    void an_invalid_envelope_fails_the_batch() {
        Expect.invalidPayload(agent.post(BATCH, "{}"), "allowed", "trades is missing.");
        Expect.invalidPayload(agent.post(BATCH, "{\"trades\":null}"), "allowed", "trades must not be null.");
        Expect.invalidPayload(agent.post(BATCH, "{\"trades\":{}}"), "allowed", "trades must be an array.");
        Expect.invalidPayload(
                agent.post(BATCH, "{\"trades\":[],\"trade\":1}"), "allowed", "trade is not a known field.");
        Expect.invalidPayload(
                agent.post(BATCH, "{\"trades\":[],\"trades\":[]}"), "allowed", "trades appears more than once.");
        Expect.invalidPayload(agent.post(BATCH, "[]"), "allowed", "The body must be a JSON object.");
    }

    @Test
    void allowed_items_count_towards_the_daily_cap_of_later_items() {
        KeyPolicy capped = new KeyPolicy(null, Usd.of(150), null, null, null);
        Client spender = service.client().withKey(service.key(KeyType.LIVE, capped, Scope.VALIDATE));

        JsonNode results = spender.post(BATCH, trades(TRADE, TRADE)).json().get("results");

        assertThat(List.of(
                        results.at("/0/decision/allowed").booleanValue(),
                        results.at("/1/decision/allowed").booleanValue()))
                .containsExactly(true, false);
        assertThat(results.at("/1/decision/violations/0/rule").textValue()).isEqualTo("agent_aum_cap");
    }

    private static String trades(String... trades) {
        return "{\"trades\":[" + String.join(",", trades) + "]}";
    }
}
