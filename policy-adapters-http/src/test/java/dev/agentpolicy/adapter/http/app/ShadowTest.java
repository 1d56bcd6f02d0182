package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A policy is rehearsed beside the one in force, and put in force. */
class ShadowTest {
    private static final String SHADOW = APP + "ips/shadow";
    private static final String PROMOTE = SHADOW + "/promote";
    private static final String ONLY_SELLING = IPS.replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],");
    private static final String BUY =
            "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1}";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client user = signedIn.user();
    private final Client agent = signedIn.agent();

    @BeforeEach
    void restrict() {
        user.put(APP + "ips", ONLY_SELLING);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private Seen set(String ips) {
        return user.put(SHADOW, "{\"document\":" + ips + "}");
    }

    private void pass() {
        service.clock.advance(Duration.ofMinutes(1));
    }

    private boolean isAllowed() {
        return agent.post(Client.VALIDATE, BUY).json().get("allowed").booleanValue();
    }

    private int version() {
        return user.get(APP + "ips").json().get("ipsVersion").intValue();
    }

    @Test
    void every_decision_since_it_was_set_is_counted_and_none_is_made_by_it() {
        isAllowed();
        pass();
        JsonNode shadow = set(IPS).json();
        assertThat(shadow.get("count").intValue()).isZero();
        assertThat(shadow.get("oldestAt").isNull()).isTrue();
        pass();

        assertThat(isAllowed()).isFalse();
        assertThat(isAllowed()).isFalse();

        JsonNode counted = user.get(SHADOW).json();
        assertThat(counted.get("since")).isEqualTo(shadow.get("since"));
        assertThat(counted.get("document")).isEqualTo(shadow.get("document"));
        assertThat(counted.get("count").intValue()).isEqualTo(2);
        assertThat(counted.get("newlyAllowed").intValue()).isEqualTo(2);
        assertThat(counted.get("results")).hasSize(2);
        assertThat(counted.get("basedOn").intValue()).isEqualTo(version());
        assertThat(counted.get("atLeast").booleanValue()).isFalse();
        pass();
        assertThat(set(IPS).json()).as("the same shadow goes on").isEqualTo(counted);
    }

    @Test
    void promoting_puts_it_in_force_and_ends_it() {
        set(IPS);
        int version = version();

        assertThat(user.post(PROMOTE + "?ifVersion=" + (version + 1), "{}")
                        .json()
                        .get("error")
                        .textValue())
                .isEqualTo("changed");
        JsonNode promoted = user.post(PROMOTE + "?ifVersion=" + version, "").json();

        assertThat(promoted.get("ipsVersion").intValue()).isEqualTo(version + 1);
        assertThat(isAllowed()).isTrue();
        assertThat(user.get(SHADOW).status()).isEqualTo(404);
        assertThat(user.post(PROMOTE, "{}").status()).isEqualTo(404);
    }

    @Test
    void another_shadow_than_the_user_has_seen_is_not_promoted() {
        String seen = set(ONLY_SELLING).json().get("since").toString();
        pass();
        String other = set(IPS).json().get("since").toString();

        Seen refused = user.post(PROMOTE, "{\"since\":" + seen + "}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("message").textValue())
                .isEqualTo("Another shadow was set meanwhile; read it again.");
        assertThat(isAllowed()).isFalse();
        assertThat(user.post(PROMOTE, "{\"since\":" + other + "}").status()).isEqualTo(200);
    }

    @Test
    void where_looser_policies_wait_a_promoted_one_does_too() {
        user.put(APP + "me/attestation", "{\"looseningDelayHours\":24}");
        set(IPS);

        Seen promoted = user.post(PROMOTE, "{}");

        assertThat(promoted.status()).isEqualTo(202);
        assertThat(promoted.json().at("/scheduled/document/allowedActions")).hasSize(2);
        assertThat(isAllowed()).isFalse();
        assertThat(user.get(SHADOW).status()).isEqualTo(404);
        service.clock.advance(Duration.ofHours(24));
        assertThat(isAllowed()).isTrue();
    }

    @Test
    void one_that_fails_a_test_is_promoted_only_if_tests_are_ignored() {
        set(IPS);
        user.put(
                APP + "ips/tests",
                "{\"tests\":[{\"name\":\"no buys\",\"portfolio\":{\"cash\":100000,\"positions\":[]},\"trade\":" + BUY
                        + ",\"expect\":{\"allowed\":false}}]}");

        Seen refused = user.post(PROMOTE, "{}");

        assertThat(refused.json().get("error").textValue()).isEqualTo("tests_failed");
        assertThat(user.get(SHADOW).status()).isEqualTo(200);
        assertThat(user.post(PROMOTE, "{\"ignoreTests\":true}").status()).isEqualTo(200);
        assertThat(isAllowed()).isTrue();
    }

    @Test
    void it_is_ended_and_is_in_the_export_until_then() {
        set(IPS);
        assertThat(user.get(APP + "me/export").json().at("/shadow/document/crypto"))
                .isEqualTo(Client.json(IPS).get("crypto"));

        assertThat(user.send("DELETE", SHADOW, BodyPublishers.noBody()).status())
                .isEqualTo(204);

        assertThat(user.get(SHADOW).json().get("message").textValue()).isEqualTo("No shadow is set.");
        assertThat(user.send("DELETE", SHADOW, BodyPublishers.noBody()).status())
                .isEqualTo(404);
        assertThat(user.get(APP + "me/export").json().get("shadow").isNull()).isTrue();
    }

    @Test
    void a_document_that_could_not_be_put_in_force_is_refused() {
        assertThat(set(IPS.replace("0.35", "1.5")).status()).isEqualTo(400);
        assertThat(user.put(SHADOW, IPS).status()).isEqualTo(400);
        assertThat(user.get(SHADOW).status()).isEqualTo(404);
    }
}
