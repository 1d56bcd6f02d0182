package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.BOOK;
import static dev.agentpolicy.adapter.http.SignedIn.CONNECT;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Somebody with only the session of an owner who has changes confirmed makes calls in random order. Whatever they are, no agent
 * may do more afterwards.
 */
@Tag("slow")
class StolenSessionTest {
    private static final int CALLS = Integer.getInteger("stolen.calls", 200);
    private static final String BASE = IPS.replaceFirst(
            "\\{",
            "{\"allowedActions\":[\"sell\"],\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}],");

    private final TestService service = new TestService();
    private final Client user = new SignedIn(service).user();
    private final long seed = Long.getLong("seed", new Random().nextInt(1_000_000));
    private final Random random = new Random(seed);

    private record Call(String method, String path, String body) {}

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void with_a_stolen_session_no_agent_may_do_more_whatever_is_called() {
        System.out.println("StolenSessionTest, seed " + seed);
        user.put(APP + "ips", BASE);
        user.put(APP + "custodians/main", BOOK);
        String key = user.post(
                        APP + "keys",
                        "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\",\"propose\"],\"paused\":true,"
                                + "\"policy\":{\"dailyUsdCap\":100,\"allowedAssets\":[\"BTC\"]},\"allowedCidrs\":[\"192.0.2.0/24\"]}")
                .json()
                .get("agentKeyId")
                .textValue();
        user.put(APP + "me/attestation", "{\"confirmChanges\":true,\"looseningDelayHours\":24}");
        String held = holdings();
        String policy = user.get(APP + "ips").text();
        List<Call> calls = calls(key);

        for (int i = 0; i < CALLS; i++) {
            Call call = calls.get(random.nextInt(calls.size()));
            service.clock.advance(random.nextInt(25) == 0 ? Duration.ofHours(25) : Duration.ofSeconds(1));
            Seen seen = made(call);
            service.clock.advance(Duration.ofSeconds(1));
            String what = "seed " + seed + ", call " + i + ", " + call + ": " + seen.status();
            assertThat(seen.status()).as(what).isLessThan(500);
            assertThat(holdings()).as(what).isEqualTo(held);
            assertThat(relationTo(policy)).as(what).isIn("equivalent", "tighter");
            keyIsNoWider(what);
            assertThat(user.get(APP + "me").json().get("confirmChanges").booleanValue())
                    .as(what)
                    .isTrue();
            assertThat(user.get(APP + "passkeys").json().get("passkeys"))
                    .as(what)
                    .isEmpty();
        }
    }

    private static List<Call> calls(String key) {
        return List.of(
                new Call("PUT", "ips", IPS),
                new Call("PUT", "ips", BASE),
                new Call("PUT", "ips", BASE.replace("\"sell\"", "")),
                new Call("PUT", "ips", IPS.replaceFirst("\\{", "{\"allowedActions\":[],")),
                new Call("PUT", "ips", BASE.replace("\"sell\"", "\"sell\",\"buy\"")),
                new Call("DELETE", "ips/scheduled", ""),
                new Call("PUT", "ips/shadow", "{\"document\":" + IPS + "}"),
                new Call("POST", "ips/shadow/promote", "{\"ignoreTests\":true}"),
                new Call("DELETE", "ips/shadow", ""),
                new Call("POST", "pause", "{\"cancelOrders\":true,\"rejectWaiting\":true}"),
                new Call("POST", "resume", "{}"),
                new Call("POST", "resume", "{\"confirmation\":{\"password\":\"a wrong horse battery\"}}"),
                new Call("POST", "approvals", "{\"ruleId\":\"ask\",\"until\":\"2026-12-01T00:00:00Z\"}"),
                new Call("POST", "keys", "{\"name\":\"Mine\",\"keyType\":\"live\",\"scopes\":[\"propose\"]}"),
                new Call("PATCH", "keys/" + key, "{\"paused\":false}"),
                new Call("PATCH", "keys/" + key, "{\"policy\":{}}"),
                new Call("PATCH", "keys/" + key, "{\"policy\":{\"dailyUsdCap\":99,\"allowedAssets\":[\"BTC\"]}}"),
                new Call("PATCH", "keys/" + key, "{\"policy\":{\"dailyUsdCap\":101,\"allowedAssets\":[\"BTC\"]}}"),
                new Call("PATCH", "keys/" + key, "{\"allowedCidrs\":[]}"),
                new Call("PATCH", "keys/" + key, "{\"allowedCidrs\":[\"192.0.2.7\"]}"),
                new Call("PATCH", "keys/" + key, "{\"name\":\"Other\",\"paused\":true}"),
                new Call("POST", "keys/" + key + "/rotate", "{}"),
                new Call("PUT", "custodians/main", BOOK.replace("\"10000\"", "\"9000000\"")),
                new Call("PUT", "custodians/second", BOOK),
                new Call("DELETE", "custodians/main", "{}"),
                new Call("POST", "custodians/main/sync", "{}"),
                new Call("POST", "custodians/broker/connect", CONNECT),
                new Call(
                        "POST",
                        "custodians/main/trades",
                        "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"1\",\"price\":500}"),
                new Call("POST", "portfolio/peak", "{}"),
                new Call("PUT", "me/attestation", "{\"confirmChanges\":false}"),
                new Call("PUT", "me/attestation", "{\"looseningDelayHours\":0}"),
                new Call("PUT", "me/attestation", "{\"looseningDelayHours\":25}"),
                new Call("PUT", "me/attestation", "{\"confirmChanges\":true,\"passkeyAboveUsd\":7}"),
                new Call("POST", "passkeys/options", "{}"),
                new Call("DELETE", "passkeys/unknown", "{}"),
                new Call("PUT", "me", "{\"requestMails\":\"off\"}"),
                new Call("POST", "me/email", "{\"email\":\"mine@example.org\",\"password\":\"a wrong horse battery\"}"),
                new Call(
                        "POST",
                        "me/password",
                        "{\"current\":\"a wrong horse battery\",\"new\":\"another horse battery\"}"),
                new Call("DELETE", "me", "{\"password\":\"a wrong horse battery\"}"),
                new Call("DELETE", "sessions", ""));
    }

    private Seen made(Call call) {
        return call.body.isEmpty()
                ? user.send(call.method, APP + call.path, BodyPublishers.noBody())
                : user.with("Content-Type", "application/json").sendText(call.method, APP + call.path, call.body);
    }

    private String holdings() {
        JsonNode portfolio = user.get(APP + "portfolio").json();
        return user.get(APP + "custodians").json().findValuesAsText("id") + " " + portfolio.findValuesAsText("quantity")
                + " " + portfolio.findValuesAsText("cash");
    }

    /** The pause is compared by itself: all agents stay as they are, or are paused. */
    private String relationTo(String policy) {
        return user.post(
                        APP + "ips/compare",
                        "{\"from\":{\"document\":" + policy + "},\"to\":{\"ipsVersion\":"
                                + user.get(APP + "ips").json().get("ipsVersion") + "}}")
                .json()
                .path("relation")
                .asText();
    }

    private void keyIsNoWider(String what) {
        JsonNode keys = user.get(APP + "keys").json().get("keys");
        assertThat(keys).as(what).hasSize(1);
        JsonNode only = keys.get(0);
        assertThat(only.get("paused").booleanValue()).as(what).isTrue();
        assertThat(only.at("/policy/dailyUsdCap").intValue()).as(what).isBetween(1, 100);
        assertThat(only.at("/policy/allowedAssets").toString()).as(what).isEqualTo("[\"BTC\"]");
        assertThat(only.get("allowedCidrs").toString()).as(what).startsWith("[\"192.0.2.");
    }
}
