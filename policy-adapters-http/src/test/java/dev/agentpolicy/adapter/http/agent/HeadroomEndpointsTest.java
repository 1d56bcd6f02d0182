package dev.agentpolicy.adapter.http.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bodies and answers of headroom. */
class HeadroomEndpointsTest {
    private static final String HEADROOM = "/api/agent/v1/policy/headroom";
    private static final String ETH = "{\"action\":\"buy\",\"assetSymbol\":\"eth-usd\",\"assetType\":\"crypto\"}";

    private final TestService service = new TestService();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_answer_has_every_member_and_is_not_recorded() {
        Client agent = service.withPolicyAndPortfolio().client().withKey(service.key(Scope.READ));
        long rows = service.store.eventLog().head(service.user).seq();

        JsonNode headroom = agent.post(HEADROOM, ETH).json();

        String floor = """
                {"rule":"cash_floor","limit":0.05,
                 "message":"Cash would be just below 5% of the portfolio; the floor is 5%."}""";
        assertThat(headroom).isEqualTo(Client.json("""
                {"action":"buy","assetSymbol":"eth-usd","assetType":"crypto","intervals":[{"minUsd":0,"maxUsd":5000}],
                 "maxAllowedUsd":5000,"binding":%1$s,"ifPendingAccepted":{"maxAllowedUsd":5000,"binding":%1$s},
                 "ipsVersion":1,
                 "snapshot":{"totalValue":100000,"cryptoValue":20000,"tradfiValue":70000,"cashValue":10000,
                   "cryptoPct":0.2,"tradfiPct":0.7,"cashPct":0.1,"snapshotDate":"2026-11-23T15:04:05.123456Z",
                   "currentDrawdownPct":0},
                 "checkedAt":"2026-11-23T15:04:05.123456Z"}""".formatted(floor)));
        assertThat(service.store.eventLog().head(service.user).seq()).isEqualTo(rows);
    }

    @Test
    void the_list_has_an_entry_for_each_asset_and_action() {
        Client agent = service.withPolicyAndPortfolio().client().withKey(service.key());

        JsonNode assets = agent.get(HEADROOM).json().get("assets");

        assertThat(assets.findValuesAsText("assetSymbol"))
                .containsExactly("BTC", "BTC", "SPY", "SPY", "AGG", "AGG", "DOGE", "DOGE", "SHIB", "SHIB");
        JsonNode buy = agent.post(HEADROOM, ETH.replace("eth-usd", "BTC")).json();
        assertThat(assets.get(0)).isEqualTo(buy);
        assertThat(assets.get(1).get("maxAllowedUsd").isNull()).isTrue();
        assertThat(assets.get(1).at("/binding/limit").isNull()).isTrue();
    }

    @Test
    void without_a_policy_nothing_is_allowed_and_nothing_listed() {
        Client agent = service.client().withKey(service.key());

        JsonNode headroom = agent.post(HEADROOM, ETH).json();

        assertThat(headroom.get("intervals")).isEmpty();
        assertThat(headroom.get("maxAllowedUsd").isNull()).isTrue();
        assertThat(headroom.at("/binding/rule").textValue()).isEqualTo("no_active_ips");
        assertThat(headroom.get("ipsVersion").isNull()).isTrue();
        assertThat(headroom.get("snapshot").isNull()).isTrue();
        assertThat(agent.get(HEADROOM).json().get("assets")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"action":"buy","assetSymbol":"ETH","assetType":"crypto","amountUsd":1} | amountUsd is not a known field.
            {"action":"hold","assetSymbol":"ETH","assetType":"crypto"}              | action must be buy or sell.
            {"action":"buy","assetSymbol":"","assetType":"crypto"}                  | assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.
            {"action":"buy","assetSymbol":"ETH"}                                    | assetType is missing.
            {"action":"buy","assetSymbol":"ETH","assetType":"crypto","expectedSlippagePct":101} | expectedSlippagePct must be a number from 0 to 100.
            """)
    void a_wrong_body_is_refused(String body, String message) {
        Client agent = service.client().withKey(service.key());

        Expect.invalidPayload(agent.post(HEADROOM, body), "", message);
    }

    @Test
    void the_scope_is_read() {
        Client agent = service.client().withKey(service.key(Scope.VALIDATE, Scope.PROPOSE));

        assertThat(agent.post(HEADROOM, ETH).status()).isEqualTo(403);
        assertThat(agent.get(HEADROOM).status()).isEqualTo(403);
        assertThat(service.client().post(HEADROOM, ETH).status()).isEqualTo(401);
        assertThat(agent.put(HEADROOM, ETH).status()).isEqualTo(405);
    }

    @Test
    void each_question_is_a_call_of_the_day_and_the_answer_counts_it() {
        service.withPolicyAndPortfolio();
        for (KeyType type : KeyType.values()) {
            Client agent =
                    service.client().withKey(service.key(type, KeyPolicy.NO_CAPS.withDailyCallCap(4), Scope.values()));

            assertThat(agent.post(HEADROOM, ETH).json().get("maxAllowedUsd").intValue())
                    .isEqualTo(5000);
            assertThat(agent.get(HEADROOM).json().at("/assets/0/maxAllowedUsd").intValue())
                    .isEqualTo(5000);
            assertThat(agent.post(HEADROOM, "{}").status()).isEqualTo(400);
            JsonNode last = agent.post(HEADROOM, ETH).json();
            assertThat(last.get("maxAllowedUsd").isNull()).isTrue();
            assertThat(last.at("/binding/rule").textValue()).isEqualTo("agent_aum_cap");
            assertThat(agent.post(HEADROOM, ETH).status()).isEqualTo(429);
        }
    }

    @Test
    void a_test_key_asks_about_the_sandbox() {
        Client agent = service.client().withKey(service.testKey());
        agent.post(Client.PROPOSE, Expect.TRADE);

        Seen seen = agent.post(HEADROOM, ETH);

        assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true");
        assertThat(seen.json().get("maxAllowedUsd").intValue()).isEqualTo(5000);
        assertThat(seen.json().at("/ifPendingAccepted/maxAllowedUsd").intValue())
                .isEqualTo(4900);
        assertThat(agent.get(HEADROOM).json().get("assets")).hasSize(10);
    }
}
