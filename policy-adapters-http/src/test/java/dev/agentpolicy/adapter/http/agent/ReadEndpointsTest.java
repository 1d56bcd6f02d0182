package dev.agentpolicy.adapter.http.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.RawCall;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mandate, holdings and signing keys. */
class ReadEndpointsTest {
    private static final String SNAPSHOT = """
            {"totalValue":100000,"cryptoValue":20000,"tradfiValue":70000,"cashValue":10000,"cryptoPct":0.2,
             "tradfiPct":0.7,"cashPct":0.1,"snapshotDate":"2026-11-23T15:04:05.123456Z","currentDrawdownPct":0}""";

    private final TestService service = new TestService();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_mandate_has_the_policy_its_usage_and_the_caps_of_the_key() {
        KeyPolicy policy = new KeyPolicy(
                10,
                Usd.of(5000),
                Usd.of("99.5"),
                Set.of(new AssetSymbol("ETH"), new AssetSymbol("BTC")),
                Set.of(AssetType.CRYPTO));
        Client agent =
                service.withPolicyAndPortfolio().client().withKey(service.key(KeyType.LIVE, policy, Scope.values()));
        agent.post(Client.PROPOSE, Expect.TRADE.replace("100", "50"));

        JsonNode mandate = agent.get("/api/agent/v1/mandate").json();

        assertThat(mandate).isEqualTo(Client.json("""
                        {"hasIps":true,"ipsVersion":1,"tier":2,
                         "limits":{"cryptoMin":0.1,"cryptoTarget":0.2,"cryptoMax":0.35,"tradfiMin":0.55,
                           "tradfiTarget":0.65,"tradfiMax":0.8,"cashFloor":0.05,"maxDrawdown":0.25,"maxSlippage":0.01},
                         "snapshot":%s,
                         "utilization":{"cryptoUsedPct":0.4,"tradfiUsedPct":0.6,"driftFromTarget":0,
                           "tradfiDriftFromTarget":0.05,"drawdownHeadroomPct":0.25},
                         "allowedActions":["buy","sell"],
                         "assetAuthority":{"default":"full","assets":{"BTC":"protect","DOGE":"monitor"}},
                         "standingRules":[{"id":"no-memecoins","effect":"block","reason":"Not in this household",
                           "when":{"actions":["buy"],"assetTypes":["crypto"],"symbols":["DOGE","SHIB"],
                             "amountUsdAbove":1000,"hours":{"start":22,"end":6,"tz":"America/New_York"},
                             "daysOfWeek":["SAT","SUN"]}}],
                         "unknownAssets":"as_said","approvals":[],"paused":false,"policyLimits":[],
                         "keyPolicy":{"dailyCallCap":10,"dailyUsdCap":5000,"aumCapUsd":99.5,
                           "allowedAssets":["BTC","ETH"],"allowedAssetTypes":["crypto"],"callsRemainingToday":8,
                           "usdRemainingToday":4950,"aumRemainingUsd":49.5,"paused":false}}""".formatted(SNAPSHOT)));
    }

    @Test
    void without_a_policy_an_agent_may_only_watch() {
        JsonNode mandate = service.client()
                .withKey(service.key())
                .get("/api/agent/v1/mandate")
                .json();

        assertThat(mandate).isEqualTo(Client.json("""
                        {"hasIps":false,"ipsVersion":null,"tier":null,"limits":null,"snapshot":null,"utilization":null,
                         "allowedActions":[],"assetAuthority":{"default":"monitor","assets":{}},"standingRules":[],
                         "unknownAssets":"as_said","approvals":[],"paused":false,"policyLimits":[],
                         "keyPolicy":{"dailyCallCap":null,"dailyUsdCap":null,"aumCapUsd":null,"allowedAssets":null,
                           "allowedAssetTypes":null,"callsRemainingToday":null,"usdRemainingToday":null,
                           "aumRemainingUsd":null,"paused":false}}"""));
    }

    @Test
    void holdings_are_decimal_texts_by_custodian() {
        Client agent = service.withPolicyAndPortfolio().client().withKey(service.key());

        assertThat(agent.get("/api/agent/v1/holdings").json()).isEqualTo(Client.json("""
                        {"asOf":"2026-11-23T15:04:05.123456Z","snapshot":%s,"custodians":[{"id":"sandbox",
                         "name":"Sandbox","kind":"paper","syncedAt":"2026-11-23T15:04:05.123456Z","cash":"10000",
                         "positions":[
                         {"symbol":"BTC","assetType":"crypto","quantity":"0.2","price":"100000","marketValue":"20000"},
                         {"symbol":"SPY","assetType":"tradfi","quantity":"130","price":"500","marketValue":"65000"},
                         {"symbol":"AGG","assetType":"tradfi","quantity":"50","price":"100","marketValue":"5000"}]}]}""".formatted(SNAPSHOT)));
    }

    @Test
    void a_user_without_holdings_gets_an_empty_list() {
        assertThat(service.client()
                        .withKey(service.key())
                        .get("/api/agent/v1/holdings")
                        .json())
                .isEqualTo(Client.json("{\"asOf\":null,\"snapshot\":null,\"custodians\":[]}"));
    }

    @Test
    void the_signing_keys_are_public_and_cacheable() throws Exception {
        Seen seen = service.client().get("/api/agent/v1/signing-keys");
        String hash = HexFormat.of()
                .formatHex(
                        MessageDigest.getInstance("SHA-256").digest(seen.text().getBytes(StandardCharsets.UTF_8)));

        assertThat(seen.json().get("keys").findValuesAsText("kid"))
                .containsExactlyInAnyOrder(
                        service.signer.keyId(), service.sandboxSigner.keyId(), service.anchorSigner.keyId());
        assertThat(seen.json().at("/keys/0/key_ops/0").textValue()).isEqualTo("verify");
        assertThat(seen.json().at("/keys/0/attestations")).isEmpty();
        assertThat(seen.json().at("/scheme/signature").textValue()).isEqualTo("Ed25519");
        assertThat(seen.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(seen.header("ETag")).isEqualTo("\"" + hash + "\"");
        Expect.budget(seen, 49);
    }

    @Test
    void a_client_that_has_the_signing_keys_gets_304() {
        Client client = service.client();
        String tag = client.get("/api/agent/v1/signing-keys").header("ETag");

        Seen known = client.with("If-None-Match", "\"other\", W/" + tag).get("/api/agent/v1/signing-keys");

        assertThat(known.status()).isEqualTo(304);
        assertThat(known.text()).isEmpty();
        assertThat(known.header("ETag")).isEqualTo(tag);
        assertThat(known.header("Cache-Control")).isEqualTo("public, max-age=300");
        assertThat(client.with("If-None-Match", "\"other\"")
                        .get("/api/agent/v1/signing-keys")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void an_answer_304_has_the_length_of_the_answer_200() {
        for (String path : new String[] {"/api/agent/v1/signing-keys", "/api/agent/v1/openapi.json"}) {
            Seen sent = service.client().get(path);

            String known = RawCall.send(
                    service.server.port(),
                    "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: " + sent.header("ETag")
                            + "\r\n\r\n");

            assertThat(known)
                    .startsWith("HTTP/1.1 304")
                    .contains("Content-Length: " + sent.header("Content-Length") + "\r\n")
                    .endsWith("\r\n\r\n");
        }
    }
}
