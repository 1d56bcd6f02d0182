package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.BOOK;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.ProposeTest;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Everything that users set and read. */
class AppApiTest {
    private static final String[] REQUIRED = {
        "action is missing.", "assetSymbol is missing.", "assetType is missing.", "amountUsd is missing."
    };

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_policy_is_read_back_as_it_was_put_and_may_be_sent_again() {
        assertThat(user.get(APP + "ips").status()).isEqualTo(404);

        Seen put = user.put(APP + "ips", IPS);
        Seen read = user.get(APP + "ips");

        assertThat(put.status()).isEqualTo(200);
        assertThat(put.json()).isEqualTo(read.json());
        assertThat(read.json()).isEqualTo(Client.json("""
                        {"ipsVersion":1,"createdAt":"2026-11-23T15:04:05.123456Z",
                         "crypto":{"min":0.1,"target":0.2,"max":0.35},"tradfi":{"min":0.55,"target":0.65,"max":0.8},
                         "cashFloor":0.05,"maxDrawdown":0.25,"maxSlippage":0.01,"allowedActions":["buy","sell"],
                         "assetAuthority":{"default":"full","assets":{}},"standingRules":[],"unknownAssets":"as_said",
                         "approvals":[],"limits":[],"paused":false,"tier":null}"""));
        assertThat(user.put(APP + "ips", read.text()).json().get("ipsVersion").intValue())
                .as("an identical document is no new version")
                .isEqualTo(1);
        assertThat(user.put(APP + "ips", IPS.replace("0.25", "0.2"))
                        .json()
                        .get("ipsVersion")
                        .intValue())
                .isEqualTo(2);
        assertThat(user.get(APP + "ips/versions").json().get("versions").findValuesAsText("ipsVersion"))
                .containsExactly("2", "1");
        assertThat(user.get(APP + "ips/versions/1").json()).isEqualTo(read.json());
        for (String none : new String[] {"0", "3", "x", "99999999999999999999"}) {
            assertThat(user.get(APP + "ips/versions/" + none).status()).isEqualTo(404);
        }
    }

    @Test
    void an_invalid_policy_is_refused_with_each_of_its_fields() {
        Expect.invalidPayload(
                user.put(
                        APP + "ips", IPS.replace("\"max\":0.35", "\"max\":0.05").replace("0.25", "2")),
                "",
                "crypto.target must not be above max.",
                "maxDrawdown must be a number from 0 to 1.");
    }

    @Test
    void a_preview_shows_what_past_decisions_would_have_been_and_stores_nothing() {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TRADE);

        JsonNode preview =
                user.post(APP + "ips/preview", IPS.replace("0.35", "0.2")).json();

        assertThat(preview.get("count").intValue()).isEqualTo(1);
        assertThat(preview.get("different").intValue()).isEqualTo(1);
        assertThat(ProposeTest.names(preview.at("/results/0")))
                .containsExactly("id", "checkedAt", "kind", "agentKeyId", "payload", "different", "before", "after");
        assertThat(preview.at("/results/0/before/allowed").booleanValue()).isTrue();
        assertThat(preview.at("/results/0/after/violations/0/rule").textValue()).isEqualTo("crypto_max_allocation");
        assertThat(user.get(APP + "ips").json().get("ipsVersion").intValue()).isEqualTo(1);
    }

    @Test
    void a_replay_counts_what_the_decisions_of_some_days_would_have_been() {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TRADE);
        agent.post(Client.VALIDATE, TRADE.replace("buy", "sell"));

        JsonNode replay = user.post(
                        APP + "ips/preview", "{\"document\":" + IPS.replace("0.35", "0.2") + ",\"days\":7,\"limit\":9}")
                .json();

        assertThat(ProposeTest.names(replay))
                .containsExactly(
                        "count",
                        "same",
                        "newlyBlocked",
                        "newlyAllowed",
                        "notReplayable",
                        "byRule",
                        "firstDifferentAt",
                        "oldestAt",
                        "pendingAffected",
                        "basedOn",
                        "atLeast",
                        "results");
        assertThat(replay.get("count").intValue()).isEqualTo(2);
        assertThat(replay.get("newlyBlocked").intValue()).isEqualTo(1);
        assertThat(replay.at("/byRule/0/rule").textValue()).isEqualTo("crypto_max_allocation");
        assertThat(replay.at("/results/0/after/allowed").booleanValue()).isFalse();
        assertThat(replay.get("basedOn").intValue()).isEqualTo(1);
        assertThat(user.post(APP + "ips/preview", "{\"document\":" + IPS + ",\"days\":91}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_trial_says_how_a_trade_would_be_decided_and_how_much_would_be_allowed() {
        user.put(APP + "ips", IPS);
        user.put(APP + "custodians/main", BOOK);

        JsonNode allowed = user.post(APP + "ips/try", TRADE).json();
        JsonNode blocked =
                user.post(APP + "ips/try", TRADE.replace("100", "20000")).json();

        assertThat(allowed.at("/decision/allowed").booleanValue()).isTrue();
        assertThat(allowed.at("/headroom/maxAllowedUsd").decimalValue()).isEqualTo("5000");
        assertThat(allowed.at("/headroom/binding/rule").textValue()).isEqualTo("cash_floor");
        assertThat(blocked.at("/decision/violations").findValuesAsText("rule"))
                .containsExactly("crypto_max_allocation", "insufficient_cash");
        assertThat(blocked.at("/decision/suggestion/maxAllowedUsd").decimalValue())
                .isEqualTo("5000");
        assertThat(blocked.get("headroom")).isEqualTo(allowed.get("headroom"));
        assertThat(user.get(APP + "audit").json()).isEmpty();
        Expect.invalidPayload(user.post(APP + "ips/try", "{}"), "", REQUIRED);
    }

    @Test
    void a_trial_of_a_key_applies_its_caps_and_that_of_a_test_key_the_policy_of_the_sandbox() {
        user.put(APP + "ips", IPS);
        user.put(APP + "custodians/main", BOOK);
        String live = mint("live", "{\"dailyUsdCap\":50}");
        JsonNode minted = minted("test", "{\"dailyUsdCap\":3000}");
        service.client().withKey(minted.get("key").textValue()).post(Client.PROPOSE, TRADE.replace("100", "2000"));
        String test = minted.get("agentKeyId").textValue();

        JsonNode capped = user.post(APP + "keys/" + live + "/try", TRADE).json();
        JsonNode sandboxed = user.post(APP + "keys/" + test + "/try", TRADE.replace("ETH", "DOGE"))
                .json();
        JsonNode left = user.post(APP + "keys/" + test + "/try", TRADE).json();
        user.send("DELETE", APP + "keys/" + live, BodyPublishers.noBody());

        assertThat(capped.at("/decision/violations/0/rule").textValue()).isEqualTo("agent_aum_cap");
        assertThat(capped.at("/headroom/maxAllowedUsd").decimalValue()).isEqualTo("50");
        assertThat(sandboxed.at("/decision/violations/0/rule").textValue()).isEqualTo("asset_authority_monitor");
        assertThat(left.at("/headroom/maxAllowedUsd").decimalValue())
                .as("the test key has proposed 2000 of 3000 USD in the sandbox")
                .isEqualTo("1000");
        for (String none : new String[] {live, "x", UUID.randomUUID().toString()}) {
            assertThat(user.post(APP + "keys/" + none + "/try", TRADE).status())
                    .as(none)
                    .isEqualTo(404);
        }
    }

    private String mint(String type, String policy) {
        return minted(type, policy).get("agentKeyId").textValue();
    }

    private JsonNode minted(String type, String policy) {
        String asked = "{\"name\":\"Robot\",\"keyType\":\"" + type
                + "\",\"scopes\":[\"validate\",\"propose\"],\"policy\":" + policy + "}";
        return user.post(APP + "keys", asked).json();
    }

    @Test
    void a_custodian_is_replaced_as_a_whole() {
        Seen put = user.put(APP + "custodians/main", BOOK);

        assertThat(put.status()).isEqualTo(200);
        assertThat(put.json()).isEqualTo(user.get(APP + "portfolio").json());
        assertThat(put.json().at("/snapshot/totalValue").decimalValue()).isEqualTo("100000");
        assertThat(put.json().at("/custodians/0/id").textValue()).isEqualTo("main");
        assertThat(put.json().at("/custodians/0/positions/0/symbol").textValue())
                .isEqualTo("BTC");
        Expect.error(
                user.put(APP + "custodians/a%20b", BOOK),
                400,
                "{\"error\":\"invalid_parameter\",\"message\":\"id must be 1 to 64 of A-Z a-z 0-9 . _ -.\"}");
        Expect.invalidPayload(
                user.put(APP + "custodians/main", BOOK.replace("\"10000\"", "\"1e4\"")), "", "cash must be a number.");
    }

    @Test
    void the_history_has_value_peak_drawdown_and_allocation_per_day() {
        user.put(APP + "custodians/main", BOOK);
        service.clock.advance(Duration.ofDays(1));
        user = signedIn.user();
        user.put(APP + "custodians/main", BOOK.replace("500", "450"));

        assertThat(user.get(APP + "portfolio/history?days=3").json()).isEqualTo(Client.json("""
                        {"days":[
                         {"day":"2026-11-23","totalValue":100000,"peakValue":100000,"currentDrawdownPct":0,
                          "cryptoPct":0.2,"tradfiPct":0.7,"cashPct":0.1},
                         {"day":"2026-11-24","totalValue":93000,"peakValue":100000,"currentDrawdownPct":0.07,
                          "cryptoPct":0.215054,"tradfiPct":0.677419,"cashPct":0.107527}]}"""));
        assertThat(user.get(APP + "portfolio/history?days=0").status()).isEqualTo(400);
    }

    @Test
    void a_trade_of_the_users_own_is_made_at_the_custodian() {
        user.put(APP + "custodians/main", BOOK);
        String trade =
                "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"2\",\"price\":500}";

        JsonNode done = user.post(APP + "custodians/main/trades", trade).json();

        assertThat(ProposeTest.names(done))
                .containsExactly("custodian", "externalId", "quantity", "price", "amountUsd", "executedAt");
        assertThat(done.get("amountUsd").decimalValue()).isEqualTo("1000");
        Expect.error(
                user.post(APP + "custodians/main/trades", trade.replace("\"2\"", "\"200\"")),
                409,
                "{\"error\":\"not_executed\",\"message\":\"My book has 9000 USD in cash; the buy costs 100000 USD.\"}");
        Expect.error(
                user.post(APP + "custodians/other/trades", trade),
                404,
                "{\"error\":\"not_found\",\"message\":\"There is no custodian other.\"}");
    }

    @Test
    void the_secret_of_a_key_is_shown_once_and_works_until_the_key_is_revoked() {
        String asked = "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"propose\",\"read\"],"
                + "\"policy\":{\"dailyCallCap\":10},\"expiresInDays\":1}";
        Seen minted = user.post(APP + "keys", asked);
        String id = minted.json().get("agentKeyId").textValue();
        String secret = minted.json().get("key").textValue();

        assertThat(minted.status()).isEqualTo(201);
        assertThat(secret).matches("svc_live_[0-9a-f]{64}");
        ObjectNode shown = (ObjectNode) minted.json();
        shown.remove("key");
        ObjectNode listed =
                (ObjectNode) user.get(APP + "keys").json().get("keys").get(0);
        assertThat(listed.remove("usedToday")).isEqualTo(Client.json("{\"calls\":0,\"usd\":0,\"aum\":0}"));
        assertThat(listed).isEqualTo(shown);
        assertThat(shown).isEqualTo(Client.json("""
                        {"agentKeyId":"%s","name":"Robot","keyType":"live","scopes":["read","propose"],
                         "policy":{"dailyCallCap":10,"dailyUsdCap":null,"aumCapUsd":null,"allowedAssets":null,
                           "allowedAssetTypes":null},"last4":"0000","client":null,"createdAt":"2026-11-23T15:04:05.123456Z",
                         "expiresAt":"2026-11-24T15:04:05.123456Z","rotatedAt":null,"revokedAt":null,
                         "allowedCidrs":[],"paused":false,"previousSecretEndsAt":null}""".formatted(id)));

        String rotated =
                user.post(APP + "keys/" + id + "/rotate", "").json().get("key").textValue();
        assertThat(service.client().withKey(secret).get("/api/agent/v1/whoami").status())
                .isEqualTo(401);
        assertThat(service.client().withKey(rotated).get("/api/agent/v1/whoami").status())
                .isEqualTo(200);

        Seen revoked = user.send("DELETE", APP + "keys/" + id, BodyPublishers.noBody());
        assertThat(revoked.json().get("revokedAt").textValue()).isEqualTo("2026-11-23T15:04:05.123456Z");
        assertThat(service.client().withKey(rotated).get("/api/agent/v1/whoami").status())
                .isEqualTo(401);
        for (String none : new String[] {id, "me", "00000000-0000-0000-0000-000000000000"}) {
            Expect.error(
                    user.send("DELETE", APP + "keys/" + none, BodyPublishers.noBody()),
                    404,
                    "{\"error\":\"not_found\",\"message\":\"There is no working key with this id.\"}");
        }
    }

    @Test
    void a_user_sees_the_feeds_of_all_agents() {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TRADE);

        assertThat(user.get(APP + "audit").json())
                .isEqualTo(agent.get("/api/agent/v1/audit").json());
        Seen events = user.get(APP + "events");
        assertThat(user.with("If-None-Match", events.header("ETag"))
                        .get(APP + "events")
                        .status())
                .isEqualTo(304);
        assertThat(events.json().get("events"))
                .isEqualTo(agent.get("/api/agent/v1/policy/events").json().get("events"));
        assertThat(user.get(APP + "usage").json().at("/totals/total").intValue())
                .isEqualTo(3);
    }
}
