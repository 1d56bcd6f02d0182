package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Await;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.ServiceNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Viewers of an account (docs/reference/viewers.md), at every endpoint of the app API and on two nodes. */
class ViewersTest {
    private static final String ADVISER = "{\"name\":\"Adviser\",\"expiresInDays\":90}";

    /** What docs/reference/viewers.md lists, but the stream. */
    private static final Set<String> READ = Set.of(
            "me",
            "ips",
            "ips/versions",
            "ips/versions/{n}",
            "home",
            "portfolio",
            "portfolio/history",
            "custodians",
            "reconciliation",
            "requests",
            "requests/{id}",
            "requests/verdicts",
            "activity",
            "audit",
            "usage",
            "events",
            "events/{seq}/proof");

    private static ServiceNode one;
    private static ServiceNode other;

    private final Tenant owner = new Tenant(one.caller().address(), "OWNER");

    @BeforeAll
    static void start(@TempDir Path folder) {
        String database = Database.POSTGRES.fresh(folder);
        Map<String, String> settings = Map.of("POLICY_TLOG", "keys");
        one = ServiceNode.start(folder, database, settings);
        other = ServiceNode.start(folder, database, settings);
    }

    @AfterAll
    static void stop() {
        one.close();
        other.close();
    }

    @Test
    void a_viewer_gets_403_viewer_at_every_endpoint_that_is_not_listed_and_nothing_changes() {
        ApiCaller viewer = opened(made());
        String before = state();
        Set<String> read = new TreeSet<>();
        for (Endpoint endpoint : Endpoint.all()) {
            if (endpoint.isOfUsers() && endpoint.access().equals("session")) {
                Seen seen = called(viewer, endpoint);
                if (seen.status() == 403) {
                    assertThat(seen.json().get("error").textValue())
                            .describedAs(endpoint.toString())
                            .isEqualTo("viewer");
                } else {
                    assertThat(seen.status())
                            .describedAs(endpoint + " " + seen.text())
                            .isIn(200, 404);
                    assertThat(endpoint.changes()).isFalse();
                    read.add(endpoint.path().substring(APP.length()));
                }
            }
        }

        assertThat(read).isEqualTo(new TreeSet<>(READ));
        assertThat(state()).isEqualTo(before);
    }

    private static Seen called(ApiCaller caller, String method, String path, List<String> bodies) {
        return switch (method) {
            case "GET" -> caller.get(path);
            case "DELETE" -> caller.delete(path);
            case "PUT" -> caller.put(path, bodies.isEmpty() ? "{}" : bodies.get(0));
            case "PATCH" -> caller.patch(path, bodies.isEmpty() ? "{}" : bodies.get(0));
            default -> caller.post(path, bodies.isEmpty() ? "{}" : bodies.get(0));
        };
    }

    private Seen called(ApiCaller caller, Endpoint endpoint) {
        return called(caller, endpoint.method(), owner.path(endpoint), endpoint.bodies());
    }

    /** All of the account that a call could have changed. */
    private String state() {
        JsonNode export = owner.user.get(APP + "me/export").ok().json();
        return String.join(
                "\n",
                export.at("/head/seq").toString(),
                export.at("/head/hash").toString(),
                export.get("account").toString(),
                export.get("sessions").findValuesAsText("id").toString(),
                export.get("tests").toString(),
                export.get("viewers").toString());
    }

    @Test
    void nothing_that_a_viewer_reads_has_a_mail_address_or_a_secret() {
        JsonNode viewer = made();
        ApiCaller caller = opened(viewer);
        String email = owner.user.get(APP + "me").ok().json().get("email").textValue();
        Await.until(() -> owner.user.get(APP + "log").status() == 200);
        String logSecret = owner.user.get(APP + "log").ok().json().get("secret").textValue();
        String token = viewer.get("url").textValue().split("=", 2)[1];
        for (Endpoint endpoint : Endpoint.all()) {
            if (endpoint.isOfUsers() && READ.contains(endpoint.path().substring(APP.length()))) {
                assertThat(called(caller, endpoint).text())
                        .describedAs(endpoint.toString())
                        .doesNotContain(email, logSecret, owner.key, token);
            }
        }
        assertThat(caller.get(APP + "me").ok().json().at("/viewer/name").textValue())
                .isEqualTo("Adviser");
    }

    @Test
    void a_viewer_downloads_nothing() {
        ApiCaller viewer = opened(made());

        assertThat(error(viewer.get(APP + "activity?format=csv"))).isEqualTo("403 viewer");
        assertThat(error(viewer.with("Accept", "text/csv").get(APP + "activity")))
                .isEqualTo("403 viewer");
        assertThat(viewer.get(APP + "activity?format=json").status()).isEqualTo(200);
    }

    @Test
    void a_revoked_viewer_is_a_stranger_at_the_next_call_on_every_node_and_its_address_does_not_work() {
        JsonNode made = made();
        String cookie = cookie(made);
        ApiCaller here = one.caller().with("Cookie", cookie);
        ApiCaller there = other.caller().with("Cookie", cookie);
        assertThat(there.get(APP + "portfolio").status()).isEqualTo(200);
        JsonNode sessions = owner.user.get(APP + "sessions").ok().json().get("sessions");
        assertThat(sessions.findValuesAsText("viewerId"))
                .containsExactly(made.get("id").textValue());

        assertThat(owner.user
                        .delete(APP + "viewers/" + made.get("id").textValue())
                        .status())
                .isEqualTo(204);

        assertThat(error(there.get(APP + "portfolio"))).isEqualTo("401 unauthorized");
        assertThat(error(here.get(APP + "portfolio"))).isEqualTo("401 unauthorized");
        assertThat(error(open(made))).isEqualTo("404 not_found");
        assertThat(owner.user.get(APP + "viewers").ok().json().get("viewers")).isEmpty();
        assertThat(owner.user.get(APP + "sessions").ok().json().findValuesAsText("viewerId"))
                .isEmpty();
        assertThat(error(owner.user.delete(APP + "viewers/" + made.get("id").textValue())))
                .isEqualTo("404 not_found");
    }

    @Test
    void a_viewer_ends_with_the_account_on_every_node() {
        JsonNode made = made();
        ApiCaller there = other.caller().with("Cookie", cookie(made));
        assertThat(there.get(APP + "home").status()).isEqualTo(200);

        owner.user
                .with("Content-Type", "application/json")
                .send("DELETE", APP + "me", "{\"password\":\"correct horse battery\"}")
                .ok();

        assertThat(error(there.get(APP + "home"))).isEqualTo("401 unauthorized");
        assertThat(error(open(made))).isEqualTo("404 not_found");
    }

    @Test
    void a_viewer_stays_when_the_password_changes_and_opens_its_address_again() {
        JsonNode made = made();
        ApiCaller viewer = opened(made);
        String same = "{\"current\":\"correct horse battery\",\"new\":\"correct horse battery\"}";

        owner.user.post(APP + "me/password", same).ok();

        assertThat(error(viewer.get(APP + "home"))).isEqualTo("401 unauthorized");
        assertThat(opened(made).get(APP + "home").status()).isEqualTo(200);
    }

    @Test
    void where_changes_are_confirmed_a_viewer_needs_a_confirmation_and_ending_it_none() {
        owner.user.put(APP + "me/attestation", "{\"confirmChanges\":true}").ok();

        assertThat(error(owner.user.post(APP + "viewers", ADVISER))).isEqualTo("403 confirmation_required");
        String confirmed = ADVISER.replace("}", ",\"confirmation\":{\"password\":\"correct horse battery\"}}");
        JsonNode made = owner.user.post(APP + "viewers", confirmed).ok().json();
        assertThat(owner.user
                        .delete(APP + "viewers/" + made.get("id").textValue())
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_viewer_is_in_the_log_without_its_secret() {
        JsonNode made = made();
        owner.user.delete(APP + "viewers/" + made.get("id").textValue()).ok();

        List<JsonNode> rows = List.of(newest("key.minted"), newest("key.revoked"));
        assertThat(rows).allSatisfy(row -> {
            JsonNode payload = row.get("payload");
            assertThat(payload.get("keyClass").textValue()).isEqualTo("viewer");
            assertThat(payload.get("viewerId")).isEqualTo(made.get("id"));
            assertThat(payload.get("name").textValue()).isEqualTo("Adviser");
            assertThat(payload.get("expiresAt")).isEqualTo(made.get("expiresAt"));
            assertThat(payload).hasSize(5);
        });
        assertThat(owner.user.get(APP + "activity?limit=2").ok().json().findValuesAsText("text"))
                .containsExactly(
                        "Adviser may not look at your account any more.", "You let Adviser look at your account.");
    }

    private JsonNode newest(String kind) {
        return owner.user
                .get(APP + "events?order=desc&limit=1&eventType=" + kind)
                .ok()
                .json()
                .get("events")
                .get(0);
    }

    private JsonNode made() {
        return owner.user.post(APP + "viewers", ADVISER).ok().json();
    }

    private static Seen open(JsonNode made) {
        String token = made.get("url").textValue().split("=", 2)[1];
        return one.caller().post(APP + "session/viewer", "{\"token\":\"" + token + "\"}");
    }

    private static ApiCaller opened(JsonNode made) {
        return one.caller().with("Cookie", cookie(made));
    }

    private static String cookie(JsonNode made) {
        String cookie = open(made).ok().header("Set-Cookie");
        return cookie.substring(0, cookie.indexOf(';'));
    }

    private static String error(Seen seen) {
        return seen.status() + " " + seen.json().get("error").textValue();
    }
}
