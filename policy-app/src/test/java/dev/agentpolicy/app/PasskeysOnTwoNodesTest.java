package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Challenges that one node gives out and another takes, once. */
class PasskeysOnTwoNodesTest {
    /** Where browsers reach both nodes. */
    private static final String CONSOLE = "http://localhost:8080";

    private static ServiceNode one;
    private static ServiceNode other;

    private final TestHousehold household = TestHousehold.withPolicy(at(one));
    private final UserId id = new UserId(UUID.fromString(household.userId()));
    private final ApiCaller here = household.user();
    private final ApiCaller there = here.at(at(other).address());
    private final SoftPasskey passkey = new SoftPasskey();

    @BeforeAll
    static void start(@TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        Map<String, String> shared = Map.of("POLICY_APP_URL", CONSOLE);
        one = ServiceNode.start(folder, database, shared);
        other = ServiceNode.start(folder, database, shared);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void a_registration_begun_on_one_node_ends_on_the_other_and_is_not_repeated_on_the_first() {
        String registration = "{\"name\":\"Phone\",\"password\":\"correct horse battery\",\"credential\":"
                + passkey.registrationJson(challenge(here.post(APP + "passkeys/options", "{}")), atConsole()) + "}";

        assertThat(there.post(APP + "passkeys", registration).status()).isEqualTo(201);

        assertRefused(here.post(APP + "passkeys", registration));
        assertThat(here.get(APP + "passkeys").ok().json().findValuesAsText("credentialId"))
                .containsExactly(passkey.credentialId());
    }

    @Test
    void an_acceptance_with_the_challenge_of_one_node_is_taken_by_the_other_and_not_again_by_the_first() {
        register();
        here.put(APP + "me/attestation", "{\"passkeyAboveUsd\":0}").ok();
        String first = queued();
        String second = queued();
        String signed = "{\"passkey\":" + signed(challenge(here.post(first + "/passkey-options", "{}"))) + "}";

        Seen accepted = there.post(first + "/accept", signed);

        assertThat(accepted.ok().json().get("status").textValue()).isEqualTo("completed");
        Seen repeated = here.post(first + "/accept", signed);
        assertThat(repeated.status()).isEqualTo(409);
        assertThat(repeated.json().get("error").textValue()).isEqualTo("already_resolved");
        assertRefused(here.post(second + "/accept", signed));
        assertThat(here.get(second).ok().json().get("status").textValue()).isEqualTo("pending");
        assertThat(ChainPages.of(household.agent()).rows("broker.trade_observed"))
                .hasSize(1);
    }

    @Test
    void a_challenge_that_one_node_refused_is_used_up_on_the_other() {
        register();
        String request = queued();
        String challenge = challenge(here.post(request + "/passkey-options", "{}"));
        String forged = passkey.assertionJson(id, challenge, atConsole().unverified());

        assertRefused(there.post(request + "/accept", "{\"passkey\":" + forged + "}"));
        assertRefused(here.post(request + "/accept", "{\"passkey\":" + signed(challenge) + "}"));

        assertThat(here.get(request).ok().json().get("status").textValue()).isEqualTo("pending");
    }

    @Test
    void a_sign_in_with_the_challenge_of_one_node_opens_a_session_of_both_once() {
        register();
        String signed = signed(challenge(at(one).post(APP + "session/passkey/options", "{}")));

        String cookie = at(other).post(APP + "session/passkey", signed).ok().header("Set-Cookie");

        ApiCaller browser = at(one).with("Cookie", cookie.substring(0, cookie.indexOf(';')));
        assertThat(browser.get(APP + "me").ok().json().get("userId").textValue())
                .isEqualTo(household.userId());
        assertRefused(at(one).post(APP + "session/passkey", signed));
        assertRefused(at(other).post(APP + "session/passkey", signed));
    }

    @Test
    void a_threshold_set_on_one_node_is_demanded_by_the_other_at_once() {
        register();
        String request = queued();
        here.put(APP + "me/attestation", "{\"passkeyAboveUsd\":0}").ok();

        Seen refused = there.post(request + "/accept", "{}");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("error").textValue()).isEqualTo("passkey_required");
    }

    private void register() {
        String challenge = challenge(here.post(APP + "passkeys/options", "{}"));
        here.post(
                        APP + "passkeys",
                        "{\"name\":\"Phone\",\"credential\":" + passkey.registrationJson(challenge, atConsole()) + "}")
                .ok();
    }

    /** The path of a request that waits. */
    private String queued() {
        long request = household
                .agent()
                .post(API + "trades/propose", trade("buy", "SPY", "tradfi", "100"))
                .ok()
                .json()
                .get("serviceRequestId")
                .longValue();
        return APP + "requests/" + request;
    }

    private String signed(String challenge) {
        return passkey.assertionJson(id, challenge, atConsole());
    }

    /** A caller by the host that is the console's. */
    private static ApiCaller at(ServiceNode node) {
        return new ApiCaller(
                "http://localhost:" + URI.create(node.running().address()).getPort());
    }

    private static Circumstances atConsole() {
        return new Circumstances().origin(CONSOLE);
    }

    private static String challenge(Seen options) {
        return options.ok().json().get("challenge").textValue();
    }

    private static void assertRefused(Seen seen) {
        assertThat(seen.status()).describedAs(seen.text()).isEqualTo(400);
        assertThat(seen.json().get("error").textValue()).isEqualTo("invalid_passkey");
    }
}
