package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.BOOK;
import static dev.agentpolicy.adapter.http.SignedIn.CONNECT;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.agent.PasskeyCalls;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that let agents do more, on an account where changes are confirmed. */
class ConfirmedChangesOverHttpTest {
    private static final String ASKING =
            IPS.replaceFirst("\\{", "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}],");
    private static final ObjectMapper SORTED =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);
    private static final String PASSWORD = "{\"password\":\"correct horse battery\"}";

    private final TestService service = new TestService();
    private final PasskeyCalls passkeys = new PasskeyCalls(service);
    private final Client user = new SignedIn(service).user();

    private record Call(String method, String path, String body) {}

    @AfterEach
    void stop() {
        service.close();
    }

    private List<Call> loosening() {
        user.put(APP + "ips", ASKING);
        user.put(APP + "custodians/main", BOOK);
        String key = user.post(
                        APP + "keys", "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"paused\":true}")
                .json()
                .get("agentKeyId")
                .textValue();
        user.post(APP + "pause", "{}");
        return List.of(
                new Call("POST", "resume", "{}"),
                new Call("POST", "approvals", "{\"ruleId\":\"ask\",\"until\":\"2026-12-01T00:00:00Z\"}"),
                new Call("POST", "keys", "{\"name\":\"Second\",\"keyType\":\"live\",\"scopes\":[\"read\"]}"),
                new Call("PATCH", "keys/" + key, "{\"paused\":false}"),
                new Call("POST", "keys/" + key + "/rotate", "{}"),
                new Call("PUT", "custodians/main", BOOK),
                new Call(
                        "POST",
                        "custodians/main/trades",
                        "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"1\",\"price\":500}"),
                new Call("POST", "custodians/broker/connect", CONNECT),
                new Call("DELETE", "custodians/main", "{}"),
                new Call("PUT", "ips", IPS));
    }

    @Test
    void each_needs_the_password_or_a_passkey_that_signed_this_call() {
        List<Call> calls = loosening();
        SoftPasskey phone = new SoftPasskey();
        assertThat(attestation("{\"confirmChanges\":true}").text())
                .isEqualTo("{\"passkeyAboveUsd\":null,\"confirmChanges\":true,\"looseningDelayHours\":0}");
        assertThat(passkeys.register(user, phone).status()).isEqualTo(201);
        assertThat(user.get(APP + "me").text()).endsWith("\"passkeyAboveUsd\":null,\"confirmChanges\":true}");

        for (Call call : calls) {
            assertThat(error(made(call, ""))).as(call.toString()).isEqualTo("403 confirmation_required");
            assertThat(error(made(call, "{\"passkey\":" + signed(phone, new Call("POST", "pause", "{}")) + "}")))
                    .as(call.toString())
                    .isEqualTo("400 invalid_passkey");
        }
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Seen made = made(call, i % 2 == 0 ? PASSWORD : "{\"passkey\":" + signed(phone, call) + "}");
            assertThat(made.status()).as("%s: %s", call, made.text()).isBetween(200, 204);
        }
    }

    @Test
    void a_policy_is_signed_itself_and_the_log_has_the_signature() throws JsonProcessingException {
        user.put(APP + "ips", ASKING);
        SoftPasskey phone = new SoftPasskey();
        passkeys.register(user, phone);
        Call put = new Call("PUT", "ips", IPS);
        Call tighter = new Call("PUT", "ips", ASKING.replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],"));

        String challenge = challenge("/api/app/v1/ips", IPS.replaceFirst("\\{", "{\"ignoreTests\":true,"));
        assertThat(made(put, "{\"passkey\":" + passkeys.assertion(user, phone, challenge) + "}")
                        .status())
                .isEqualTo(200);

        JsonNode payload = user.get(APP + "events?order=desc&limit=1").json().at("/events/0/payload");
        JsonNode attested = payload.at("/confirmation/attested");
        assertThat(payload.at("/confirmation/passkey/credentialId").textValue()).isEqualTo(phone.credentialId());
        assertThat(attested.get("previousIpsVersion").intValue()).isEqualTo(1);
        assertThat(challenge)
                .isEqualTo(Base64Url.encode(Sha256.of("agent-policy/change/v1\n"
                        + SORTED.writeValueAsString(SORTED.treeToValue(attested, Object.class)))));
        assertThat(attested.get("documentHash").textValue())
                .isEqualTo(Sha256.hex(
                        SORTED.writeValueAsString(SORTED.treeToValue(payload.get("document"), Object.class))));
        assertThat(error(made(tighter, "{\"passkey\":" + signed(phone, put) + "}")))
                .as("another policy")
                .isEqualTo("400 invalid_passkey");
        String before = signed(phone, tighter);
        user.post(APP + "pause", "{}");
        assertThat(error(made(tighter, "{\"passkey\":" + before + "}"))).isEqualTo("409 changed");
        assertThat(error(user.post(
                        APP + "confirmations", "{\"method\":\"PUT\",\"path\":\"/ips\",\"body\":{\"crypto\":1}}")))
                .isEqualTo("400 invalid_payload");
    }

    @Test
    void it_ends_with_a_confirmation_alone() {
        attestation("{\"confirmChanges\":true}");

        assertThat(error(attestation("{\"confirmChanges\":false}"))).isEqualTo("403 confirmation_required");
        assertThat(attestation("{\"confirmChanges\":false,\"confirmation\":" + PASSWORD + "}")
                        .text())
                .isEqualTo("{\"passkeyAboveUsd\":null,\"confirmChanges\":false,\"looseningDelayHours\":0}");
        assertThat(user.get(APP + "me").text()).endsWith("\"passkeyAboveUsd\":null}");
        assertThat(error(attestation("{}"))).isEqualTo("400 invalid_payload");
        assertThat(error(attestation("{\"looseningDelayHours\":169}"))).isEqualTo("400 invalid_payload");
    }

    @Test
    void a_wrong_password_is_refused_where_no_confirmation_is_needed_and_throttled() {
        Call tighter = new Call("PUT", "ips", ASKING);
        user.put(APP + "ips", IPS);
        String wrong = PASSWORD.replace("battery", "stapler");

        for (int i = 0; i < 5; i++) {
            assertThat(error(made(tighter, wrong))).isEqualTo("403 confirmation_required");
        }
        assertThat(error(made(tighter, PASSWORD))).isEqualTo("429 sign_in_throttled");
        assertThat(made(tighter, "").status()).isEqualTo(200);
    }

    @Test
    void a_shorter_delay_is_shown_with_the_time_from_which_on_it_counts() {
        attestation("{\"looseningDelayHours\":24}");

        String lowered = attestation("{\"looseningDelayHours\":0}").text();

        assertThat(lowered)
                .isEqualTo("{\"passkeyAboveUsd\":null,\"confirmChanges\":false,\"looseningDelayHours\":24,"
                        + "\"loweredDelay\":{\"hours\":0,\"effectiveAt\":\"2026-11-24T15:04:05.123456Z\"}}");
        service.clock.advance(Duration.ofHours(24));
        assertThat(user.get(APP + "me").text()).endsWith("\"passkeyAboveUsd\":null}");
    }

    @Test
    void a_looser_policy_waits_is_shown_and_mailed_and_can_be_ended() {
        user.put(APP + "ips", IPS.replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],"));
        attestation("{\"looseningDelayHours\":24}");

        Seen waits = user.put(APP + "ips", IPS);

        assertThat(waits.status()).isEqualTo(202);
        JsonNode scheduled = waits.json().get("scheduled");
        assertThat(scheduled.get("effectiveAt").textValue()).isEqualTo("2026-11-24T15:04:05.123456Z");
        assertThat(service.notices.of(Notice.PolicyScheduled.class)).hasSize(1);
        JsonNode inForce = user.get(APP + "ips").json();
        assertThat(inForce.get("scheduled")).isEqualTo(scheduled);
        assertThat(inForce.get("ipsVersion").intValue()).isEqualTo(1);
        Seen again = user.put(APP + "ips", scheduled.get("document").toString());
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.json().get("endedScheduled").booleanValue()).isTrue();
        Seen same = user.put(APP + "ips", user.get(APP + "ips").text());
        assertThat(same.json().get("endedScheduled").booleanValue()).isTrue();
        assertThat(same.json().get("ipsVersion").intValue()).isEqualTo(1);

        user.put(APP + "ips", IPS);
        assertThat(user.send("DELETE", APP + "ips/scheduled", BodyPublishers.noBody())
                        .status())
                .isEqualTo(204);
        assertThat(error(user.send("DELETE", APP + "ips/scheduled", BodyPublishers.noBody())))
                .isEqualTo("404 not_found");
        user.put(APP + "ips", IPS);
        service.clock.advance(Duration.ofHours(24));
        user.post(APP + "pause", "{}");
        inForce = user.get(APP + "ips").json();
        assertThat(inForce.get("ipsVersion").intValue()).as("and its pause").isEqualTo(3);
        assertThat(inForce.get("allowedActions")).hasSize(2);
        assertThat(inForce.has("scheduled")).isFalse();
    }

    private Seen attestation(String body) {
        return user.put(APP + "me/attestation", body);
    }

    /** @param confirmation none if empty */
    private Seen made(Call call, String confirmation) {
        service.clock.advance(Duration.ofSeconds(1));
        String last = call.body.equals("{}") ? "" : ",";
        String body = confirmation.isEmpty()
                ? call.body
                : call.body.replaceFirst("\\{", "{\"confirmation\":" + confirmation.replace("\\", "\\\\") + last);
        return body.equals("{}")
                ? user.send(call.method, APP + call.path, BodyPublishers.noBody())
                : user.with("Content-Type", "application/json").sendText(call.method, APP + call.path, body);
    }

    private String signed(SoftPasskey passkey, Call call) {
        service.clock.advance(Duration.ofSeconds(1));
        String challenge = PasskeyCalls.challenge(user.post(
                APP + "confirmations",
                "{\"method\":\"" + call.method + "\",\"path\":\"/" + call.path + "\",\"body\":" + call.body + "}"));
        return passkeys.assertion(user, passkey, challenge);
    }

    private String challenge(String path, String policy) {
        return PasskeyCalls.challenge(user.post(
                APP + "confirmations", "{\"method\":\"PUT\",\"path\":\"" + path + "\",\"body\":" + policy + "}"));
    }

    private static String error(Seen seen) {
        return seen.status() + " " + seen.json().path("error").asText();
    }
}
