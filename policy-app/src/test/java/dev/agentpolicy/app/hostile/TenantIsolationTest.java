package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.TestHousehold.API;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One user with the ids, cursors and keys of another, at every endpoint that takes any: never a byte of theirs. */
@ExtendWith(AttackedService.Shared.class)
class TenantIsolationTest {
    private static final int SHORTEST_SECRET = 6;

    private Tenant alice;
    private Tenant bob;
    private Set<String> secrets;

    @BeforeEach
    void move(AttackedService target) {
        alice = new Tenant(target.address, "ALICE");
        bob = new Tenant(target.address, "BOB");
        secrets = new LinkedHashSet<>(alice.texts());
        secrets.removeAll(bob.texts());
        secrets.removeIf(text -> text.length() < SHORTEST_SECRET);
    }

    @Test
    void a_user_gets_no_data_of_another() {
        assertThat(secrets).contains(alice.keyId, alice.key, alice.custodian, "XALICE", "Note of ALICE");
        String before = alice.state();
        int asked = 0;
        for (Endpoint endpoint : Endpoint.all()) {
            if (endpoint.isOfUsers() || endpoint.isOfAgents()) {
                for (String query : queries(endpoint)) {
                    if (!endpoint.isAboutSessions() || !endpoint.changes()) {
                        ask(endpoint, query);
                        asked++;
                    }
                }
            }
        }
        System.out.printf("%d questions, %d secrets%n", asked, secrets.size());

        assertThat(alice.state()).isEqualTo(before);
        assertThat(alice.agent.get(API + "whoami").status()).isEqualTo(200);
    }

    /** Nothing, each parameter alone with her value, and all together. */
    private Set<String> queries(Endpoint endpoint) {
        Set<String> queries = new LinkedHashSet<>(Set.of(""));
        StringBuilder all = new StringBuilder("?");
        for (String name : endpoint.parameters()) {
            String pair = name + "=" + alice.value(endpoint, name);
            queries.add("?" + pair);
            all.append(pair).append('&');
        }
        queries.add(all.substring(0, all.length() - 1));
        return queries;
    }

    /** Text that the caller sent may be in the answer. */
    private void ask(Endpoint endpoint, String query) {
        List<ApiCaller> callers = endpoint.isOfUsers()
                ? List.of(bob.user, bob.user.withKey(bob.key))
                : List.of(bob.agent, bob.agent.with("Cookie", alice.household.cookie()));
        for (ApiCaller caller : callers) {
            String path = alice.path(endpoint) + query;
            String body = endpoint.bodies().isEmpty() ? null : endpoint.bodies().get(0);
            Seen seen = (body == null ? caller : caller.with("Content-Type", "application/json"))
                    .send(endpoint.method(), path, body);
            secrets.removeIf(path::contains);
            String told = seen.headers().map() + "\n" + seen.text();
            assertThat(secrets.stream().filter(told::contains))
                    .as("%s %s answered %s", endpoint.method(), path, told)
                    .isEmpty();
            assertThat(seen.status()).as(path).isLessThan(500);
            if (path.contains("/keys/" + alice.keyId) || path.contains("/requests/" + alice.requestId)) {
                assertThat(seen.status()).as(path).isEqualTo(404);
            }
        }
    }

    @Test
    void a_session_cannot_call_the_agent_api_nor_a_key_the_app_api(AttackedService target) {
        ApiCaller onlyCookie = new ApiCaller(target.address).with("Cookie", alice.household.cookie());
        ApiCaller onlyKey = new ApiCaller(target.address).withKey(alice.key);
        for (Endpoint endpoint : Endpoint.all()) {
            if (!endpoint.access().equals("none") && !endpoint.access().equals("read or session")) {
                ApiCaller wrong = endpoint.isKeyed() ? onlyCookie : onlyKey;
                assertThat(wrong.send(endpoint.method(), alice.path(endpoint), null)
                                .status())
                        .as(endpoint.toString())
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void a_key_sent_with_the_session_of_another_user_acts_for_its_own_user() {
        ApiCaller mixed = bob.agent.with("Cookie", alice.household.cookie());

        assertThat(mixed.get(API + "whoami").ok().json().get("userId").textValue())
                .isEqualTo(bob.household.userId());
    }
}
