package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The stop button, approvals ahead of standing rules, and keys that are changed. */
class PauseAndApprovalsTest {
    private static final String MANDATE = "/api/agent/v1/mandate";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client user = signedIn.user();
    private final Client agent = signedIn.agent();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void pausing_blocks_the_next_call_and_a_policy_that_is_sent_back_does_not_resume() {
        Seen paused = user.post(APP + "pause", "");

        assertThat(paused.json().toString()).isEqualTo("{\"ipsVersion\":2,\"paused\":true}");
        assertThat(agent.post(PROPOSE, TRADE)
                        .json()
                        .at("/decision/violations/0/message")
                        .textValue())
                .isEqualTo("All agents are paused.");
        assertThat(agent.get(MANDATE).json().get("paused").booleanValue()).isTrue();
        JsonNode inForce = user.get(APP + "ips").json();
        assertThat(inForce.get("paused").booleanValue()).isTrue();
        assertThat(user.put(APP + "ips", inForce.toString().replace("\"paused\":true", "\"paused\":false"))
                        .json()
                        .get("ipsVersion")
                        .intValue())
                .isEqualTo(2);
        assertThat(user.post(APP + "resume", "{}").json().get("ipsVersion").intValue())
                .isEqualTo(3);
        assertThat(agent.post(PROPOSE, TRADE).status()).isEqualTo(200);
    }

    @Test
    void a_test_key_goes_on_under_its_fixed_policy_while_all_agents_are_paused() {
        String key = user.post(
                        APP + "keys", "{\"name\":\"Trial\",\"keyType\":\"test\",\"scopes\":[\"read\",\"propose\"]}")
                .json()
                .get("key")
                .textValue();
        user.post(APP + "pause", "");

        Seen proposed = service.client().withKey(key).post(PROPOSE, TRADE);

        assertThat(proposed.header("X-Service-Sandbox")).isEqualTo("true");
        assertThat(proposed.json().get("proposed").booleanValue()).isTrue();
    }

    @Test
    void a_policy_is_put_in_force_only_over_the_expected_version() {
        Seen refused = user.put(APP + "ips?ifVersion=7", IPS.replaceFirst("\\{", "{\"tier\":5,"));

        Expect.error(
                refused, 409, "{\"error\":\"changed\",\"message\":\"Version 1 of the policy is in force by now.\"}");
        assertThat(user.put(APP + "ips?ifVersion=1", IPS.replaceFirst("\\{", "{\"tier\":5,"))
                        .json()
                        .get("ipsVersion")
                        .intValue())
                .isEqualTo(2);
        assertThat(user.put(APP + "ips?ifVersion=x", IPS).json().get("error").textValue())
                .isEqualTo("invalid_parameter");
    }

    @Test
    void an_approval_lets_the_agents_next_proposal_pass() {
        user.put(
                APP + "ips",
                IPS.replaceFirst("\\{", "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}],"));
        assertThat(agent.post(PROPOSE, TRADE)
                        .json()
                        .at("/decision/violations/0/rule")
                        .textValue())
                .isEqualTo("standing_rule_requires_approval");

        Seen approved = user.post(
                APP + "approvals", "{\"ruleId\":\"ask\",\"symbol\":\"btc\",\"until\":\"2026-11-30T10:00:00+02:00\"}");

        assertThat(approved.json().at("/approvals/0").toString())
                .isEqualTo("{\"ruleId\":\"ask\",\"symbol\":\"BTC\",\"until\":\"2026-11-30T08:00:00.000000Z\"}");
        assertThat(agent.get(MANDATE).json().get("approvals")).hasSize(1);
    }

    @Test
    void what_is_used_of_an_approval_is_shown_and_may_be_sent_back() {
        String ips = IPS.replaceFirst("\\{", "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}],");
        user.put(APP + "ips", ips);
        Seen approved = user.post(
                APP + "approvals",
                "{\"ruleId\":\"ask\",\"until\":\"2026-11-30T10:00:00Z\",\"maxUses\":2,\"maxTotalUsd\":9000.5}");
        agent.post(PROPOSE, TRADE);
        String amount = "\"usd\":";

        JsonNode inForce = user.get(APP + "ips").json();

        String content = "{\"ruleId\":\"ask\",\"until\":\"2026-11-30T10:00:00.000000Z\",\"maxUses\":2,"
                + "\"maxTotalUsd\":9000.5,";
        assertThat(approved.json().at("/approvals/0").toString())
                .isEqualTo(
                        content + "\"used\":{\"uses\":0," + amount + "0},\"left\":{\"uses\":2," + amount + "9000.5}}");
        String used = content + "\"used\":{\"uses\":1," + amount + "100},\"left\":{\"uses\":1," + amount + "8900.5}}";
        assertThat(inForce.at("/approvals/0").toString()).isEqualTo(used);
        assertThat(agent.get(MANDATE).json().at("/approvals/0").toString()).isEqualTo(used);
        assertThat(user.put(APP + "ips", inForce.toString())
                        .json()
                        .get("ipsVersion")
                        .intValue())
                .isEqualTo(inForce.get("ipsVersion").intValue());
        Expect.invalidPayload(
                user.put(
                        APP + "ips",
                        ips.replaceFirst(
                                "\\{",
                                "{\"approvals\":[{\"ruleId\":\"ask\",\"until\":\"2026-11-30T10:00:00Z\",\"maxUses\":1001,"
                                        + "\"unused\":1}],")),
                "",
                "approvals[0].maxUses must be an integer from 1 to 1000.",
                "approvals[0].unused is not a known field.");
    }

    @Test
    void a_changed_key_keeps_its_secret_and_a_rotation_may_overlap() {
        JsonNode key = user.get(APP + "keys").json().at("/keys/0");
        String path = APP + "keys/" + key.get("agentKeyId").textValue();

        JsonNode changed = user.patch(
                        path, "{\"paused\":true,\"policy\":{\"aumCapUsd\":5},\"allowedCidrs\":[\"127.0.0.1\"]}")
                .json();

        assertThat(changed.get("paused").booleanValue()).isTrue();
        assertThat(changed.at("/policy/aumCapUsd").intValue()).isEqualTo(5);
        assertThat(changed.at("/allowedCidrs/0").textValue()).isEqualTo("127.0.0.1/32");
        assertThat(agent.get(MANDATE).json().at("/keyPolicy/paused").booleanValue())
                .isTrue();
        user.post(path + "/rotate", "{\"overlapMinutes\":5}");
        assertThat(agent.get(MANDATE).status()).isEqualTo(200);
        assertThat(user.get(APP + "keys")
                        .json()
                        .at("/keys/0/previousSecretEndsAt")
                        .isNull())
                .isFalse();
        user.patch(path, "{\"allowedCidrs\":[\"10.0.0.0/8\"]}");
        assertThat(agent.get(MANDATE).status()).isEqualTo(401);
    }

    @Test
    void many_requests_are_rejected_in_one_call() {
        for (int i = 0; i < 3; i++) {
            agent.post(PROPOSE, TRADE);
        }

        assertThat(user.post(APP + "requests/reject", "{\"ids\":[1,2],\"reason\":\"No\"}")
                        .json()
                        .toString())
                .isEqualTo("{\"rejected\":2}");
        assertThat(user.get(APP + "requests/1").json().get("reason").textValue())
                .isEqualTo("No");
        Expect.invalidPayload(user.post(APP + "requests/reject", "{\"ids\":null}"), "", "ids must not be null.");
        assertThat(user.post(APP + "requests/reject", "{}")
                        .json()
                        .get("rejected")
                        .intValue())
                .isEqualTo(1);
        Expect.invalidPayload(
                user.post(APP + "requests/reject", "{\"ids\":[\"1\"]}"), "", "ids[0] must be an integer above 0.");
    }
}
