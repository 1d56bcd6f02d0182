package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.IPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The queue of proposed trades, which the user accepts or rejects. */
class RequestsTest {
    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void an_accepted_request_is_executed_and_cannot_be_resolved_again() {
        Client agent = signedIn.agent();
        agent.post(PROPOSE, TRADE.replace("}", ",\"rationale\":\"Rebalance\"}"));

        JsonNode accepted = user.post(APP + "requests/1/accept", "").json();

        assertThat(accepted.get("status").textValue()).isEqualTo("completed");
        assertThat(accepted.get("rationale").textValue()).isEqualTo("Rebalance");
        assertThat(accepted.at("/execution/custodian").textValue()).isEqualTo("main");
        ObjectNode read = (ObjectNode) user.get(APP + "requests/1").json();
        assertThat(read.remove("now").isNull()).isTrue();
        assertThat(read).isEqualTo(accepted);
        assertThat(agent.get("/api/agent/v1/audit")
                        .json()
                        .findValue("serviceRequest")
                        .get("status")
                        .textValue())
                .isEqualTo("completed");
        Expect.error(
                user.post(APP + "requests/1/reject", "{\"reason\":\"late\"}"),
                409,
                "{\"error\":\"already_resolved\",\"message\":\"This request is already completed.\",\"request\":"
                        + accepted + "}");
    }

    @Test
    void a_rejection_may_have_a_reason_or_no_body_at_all() {
        Client agent = signedIn.agent();
        agent.post(PROPOSE, TRADE);
        agent.post(PROPOSE, TRADE);

        assertThat(user.post(APP + "requests/1/reject", "{\"reason\":\"Too early\"}")
                        .json()
                        .get("reason")
                        .textValue())
                .isEqualTo("Too early");
        assertThat(user.send("POST", APP + "requests/2/reject", BodyPublishers.noBody())
                        .json()
                        .get("reason")
                        .isNull())
                .isTrue();
        Expect.invalidPayload(user.post(APP + "requests/1/reject", "{\"why\":1}"), "", "why is not a known field.");
    }

    @Test
    void members_of_a_call_that_takes_none_are_refused_and_nothing_is_done() {
        signedIn.agent().post(PROPOSE, TRADE);

        for (String call : new String[] {"accept", "cancel"}) {
            Expect.invalidPayload(
                    user.post(APP + "requests/1/" + call, "{\"show\":1}"), "", "show is not a known field.");
        }
        Expect.invalidPayload(user.post(APP + "custodians/main/sync", "{\"x\":1}"), "", "x is not a known field.");
        assertThat(user.get(APP + "requests/1").json().get("status").textValue())
                .isEqualTo("pending");
        assertThat(user.post(APP + "requests/1/accept", "{}").status()).isEqualTo(200);
    }

    @Test
    void a_waiting_request_says_how_it_would_be_decided_now() {
        signedIn.agent().post(PROPOSE, TRADE);

        JsonNode now = user.get(APP + "requests/1").json().get("now");

        assertThat(now.get("allowed").booleanValue()).isTrue();
        assertThat(now.get("violations")).isEmpty();
        assertThat(now.at("/ifAllPending/allowed").booleanValue()).isTrue();
        assertThat(now.at("/execution/possible").booleanValue()).isTrue();
        assertThat(now.at("/execution/reason").isNull()).isTrue();
        assertThat(now.get("allInOrder")).hasToString("{\"checked\":1,\"more\":false,\"firstBlocked\":null}");
        assertThat(now.get("custodian").textValue()).isEqualTo("main");
        assertThat(now.get("ipsVersion").intValue()).isEqualTo(1);
        assertThat(now.get("portfolioRevision").longValue()).isPositive();
        assertThat(user.get(APP + "requests").json().at("/requests/0").has("now"))
                .isFalse();
    }

    @Test
    void an_acceptance_of_what_is_no_longer_in_force_is_refused_with_the_request_of_this_moment() {
        signedIn.agent().post(PROPOSE, TRADE);
        JsonNode seen = user.get(APP + "requests/1").json().get("now");
        String shown = "{\"shown\":{\"ipsVersion\":%d,\"portfolioRevision\":%d}}"
                .formatted(
                        seen.get("ipsVersion").intValue(),
                        seen.get("portfolioRevision").longValue());
        user.put(APP + "ips", IPS.replaceFirst("\\{", "{\"tier\":5,"));

        Seen refused = user.post(APP + "requests/1/accept", shown);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("changed");
        assertThat(refused.json().get("violations")).isEmpty();
        assertThat(refused.json().at("/request/now/ipsVersion").intValue()).isEqualTo(2);
        assertThat(user.post(APP + "requests/1/accept", shown.replace("\"ipsVersion\":1", "\"ipsVersion\":2"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void an_acceptance_of_a_trade_that_was_shown_as_blocked_is_refused_as_changed() {
        signedIn.agent().post(PROPOSE, TRADE);
        user.put(APP + "ips", IPS.replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],"));
        JsonNode now = user.get(APP + "requests/1").json().get("now");
        assertThat(now.get("allowed").booleanValue()).isFalse();
        assertThat(now.get("tightest").isNull()).isTrue();

        Seen refused = user.post(
                APP + "requests/1/accept",
                "{\"shown\":{\"ipsVersion\":2,\"portfolioRevision\":"
                        + now.get("portfolioRevision").longValue() + "}}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().get("error").textValue()).isEqualTo("changed");
        assertThat(refused.json().at("/violations/0/rule").textValue()).isEqualTo("action_not_allowed");
        Expect.invalidPayload(
                user.post(APP + "requests/1/accept", "{\"shown\":{}}"), "", "shown.portfolioRevision is missing.");
    }

    @Test
    void a_trade_that_the_current_policy_blocks_stays_pending() {
        Client agent = signedIn.agent();
        agent.post(PROPOSE, TRADE);
        user.put(APP + "ips", IPS.replace("}\n", "}").replaceFirst("\\{", "{\"allowedActions\":[\"sell\"],"));

        Seen seen = user.post(APP + "requests/1/accept", "");

        assertThat(seen.status()).isEqualTo(409);
        assertThat(seen.json().get("error").textValue()).isEqualTo("policy_blocked");
        assertThat(seen.json().at("/violations/0/rule").textValue()).isEqualTo("action_not_allowed");
        assertThat(seen.json().at("/request/status").textValue()).isEqualTo("pending");
    }

    @Test
    void the_queue_is_read_newest_first_page_by_page() {
        Client agent = signedIn.agent();
        for (int i = 0; i < 3; i++) {
            agent.post(PROPOSE, TRADE);
        }
        user.post(APP + "requests/2/reject", "");

        JsonNode first = user.get(APP + "requests?limit=2").json();
        JsonNode second = user.get(APP + "requests?limit=2&cursor="
                        + first.get("nextCursor").textValue())
                .json();

        assertThat(first.get("requests").findValuesAsText("id")).containsExactly("3", "2");
        assertThat(second.get("requests").findValuesAsText("id")).containsExactly("1");
        assertThat(second.get("nextCursor").isNull()).isTrue();
        assertThat(user.get(APP + "requests?status=rejected")
                        .json()
                        .get("requests")
                        .findValuesAsText("id"))
                .containsExactly("2");
        for (String wrong :
                new String[] {"status=open", "limit=0", "cursor=x", "cursor=", "cursor=0", "cursor=-1", "cursor=-0"}) {
            assertThat(user.get(APP + "requests?" + wrong).status()).isEqualTo(400);
        }
        for (String none : new String[] {"4", "x", "-1", "99999999999999999999"}) {
            assertThat(user.get(APP + "requests/" + none).status()).isEqualTo(404);
        }
    }
}
