package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.LOGIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The export of an account and its deletion. */
class AccountDeletionTest {
    private static final String PROOF = "{\"password\":\"correct horse battery\"}";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client agent = signedIn.agent();
    private final Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void the_export_has_the_account_as_its_calls_answer_it_and_no_secret() {
        agent.post(PROPOSE, TRADE);
        for (int more = 0; more < 3; more++) {
            agent.post(Client.VALIDATE, TRADE);
        }

        Seen seen = user.get(APP + "me/export");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.header("Content-Disposition")).isEqualTo("attachment; filename=\"agent-policy-account.json\"");
        JsonNode file = seen.json();
        assertThat(file.get("account")).isEqualTo(user.get(APP + "me").json());
        assertThat(file.get("sessions")).hasSize(2);
        assertThat(file.get("ipsVersions")).hasSize(1);
        assertThat(file.get("tests")).isEmpty();
        assertThat(file.get("keys")).hasSize(1);
        for (String list : List.of("passkeys", "custodians")) {
            assertThat(file.get(list)).isEqualTo(user.get(APP + list).json().get(list));
        }
        assertThat(file.get("custodians")).hasSize(1);
        assertThat(file.get("portfolio")).isEqualTo(user.get(APP + "portfolio").json());
        assertThat(file.get("portfolioDays"))
                .isEqualTo(user.get(APP + "portfolio/history?days=366").json().get("days"));
        assertThat(file.get("usage")).isEqualTo(user.get(APP + "usage?days=30").json());
        assertThat(file.get("requests")).hasSize(1);
        assertThat(file.get("events").toString())
                .isEqualTo(user.get(APP + "events").json().get("events").toString());
        assertThat(file.at("/head/seq").intValue()).isEqualTo(file.get("events").size());
        assertThat(seen.text()).doesNotContain("svc_live_").doesNotContain("hash of correct");
    }

    @Test
    void all_pages_of_requests_and_events_are_in_the_export() {
        UserId id = userId();
        for (int i = 0; i < 101; i++) {
            if (i % 40 == 0) {
                service.clock.advance(Duration.ofSeconds(1));
            }
            agent.post(PROPOSE, TRADE.replace("100", "1"));
        }
        JsonNode file = user.get(APP + "me/export").json();

        assertThat(file.get("requests")).hasSize(100);
        assertThat(file.get("events")).hasSize(service.store.rows(id, 0).size());
    }

    @Test
    void a_deleted_account_leaves_a_bare_chain_and_a_free_address() {
        agent.post(PROPOSE, TRADE);
        UserId id = userId();

        assertThat(delete(user, PROOF).status()).isEqualTo(204);

        assertThat(user.get(APP + "me").status()).isEqualTo(401);
        assertThat(agent.post(Client.VALIDATE, TRADE).status()).isEqualTo(401);
        assertThat(service.client().post(APP + "session", LOGIN).status()).isEqualTo(401);
        List<PolicyEvent> left = service.store.rows(id, 0);
        assertThat(left).isNotEmpty().extracting(PolicyEvent::payload).containsOnlyNulls();
        assertThat(left).extracting(PolicyEvent::kind).contains(EventKind.KEY_REVOKED);
        assertThat(service.client().post(APP + "users", LOGIN).status()).isEqualTo(201);
        JsonNode again = signedIn.user().get(APP + "me").json();
        assertThat(again.get("userId").textValue()).isNotEqualTo(id.toString());
        assertThat(signedIn.user().get(APP + "requests").json().get("requests")).isEmpty();
    }

    @Test
    void a_wrong_password_deletes_nothing() {
        Seen refused = delete(user, PROOF.replace("battery", "stapler"));

        Expect.error(refused, 403, "{\"error\":\"wrong_password\",\"message\":\"The password is wrong.\"}");
        assertThat(agent.post(Client.VALIDATE, TRADE).status()).isEqualTo(200);
    }

    @Test
    void an_account_with_an_order_under_way_is_kept_with_its_keys() {
        user.put(APP + "custodians/main", SignedIn.CLOSED_BOOK);
        String request =
                agent.post(PROPOSE, TRADE).json().get("serviceRequestId").asText();
        user.post(APP + "requests/" + request + "/accept", "");

        Seen refused = delete(user, PROOF);

        Expect.error(
                refused,
                409,
                "{\"error\":\"order_under_way\",\"message\":\"An order is under way; cancel it or wait for its end.\"}");
        assertThat(agent.post(Client.VALIDATE, TRADE).status()).isEqualTo(200);
        assertThat(user.post(APP + "requests/" + request + "/cancel", "").status())
                .isEqualTo(200);
        assertThat(delete(user, PROOF).status()).isEqualTo(204);
    }

    private UserId userId() {
        return UserId.of(user.get(APP + "me").json().get("userId").textValue());
    }

    private static Seen delete(Client client, String body) {
        return client.with("Content-Type", "application/json").sendText("DELETE", APP + "me", body);
    }
}
