package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static dev.agentpolicy.adapter.http.SignedIn.LOGIN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.document.Sha256;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The sessions of a user, and a change of the password. */
class AccountSessionsTest {
    private static final String NEW_PASSWORD = "a staple nobody tries";
    private static final String CHANGE = "{\"current\":\"correct horse battery\",\"new\":\"" + NEW_PASSWORD + "\"}";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void sessions_are_listed_newest_first_with_where_they_were_opened_and_nothing_secret() {
        Seen opened = service.client().with("User-Agent", "Browser/1.0").post(APP + "session", LOGIN);
        String cookie = opened.header("Set-Cookie");
        service.clock.advance(Duration.ofSeconds(5));
        Client here = signedIn.user();

        Seen seen = here.get(APP + "sessions");

        JsonNode sessions = seen.json().get("sessions");
        assertThat(sessions).hasSize(2);
        assertThat(sessions.at("/0/isThis").booleanValue()).isTrue();
        assertThat(sessions.at("/0/agent").textValue()).startsWith("Java-http-client");
        assertThat(sessions.at("/1/isThis").booleanValue()).isFalse();
        assertThat(sessions.at("/1/agent").textValue()).isEqualTo("Browser/1.0");
        assertThat(sessions.at("/1/address").textValue()).isEqualTo("127.0.0.1");
        assertThat(sessions.at("/1/createdAt").textValue()).isEqualTo("2026-11-23T15:04:05.123456Z");
        String token = cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';'));
        assertThat(seen.text()).doesNotContain(token).doesNotContain(Sha256.hex(token));
    }

    @Test
    void one_session_ends_by_its_id_and_nobody_elses_does() {
        Client other = signedIn.user();
        service.clock.advance(Duration.ofSeconds(5));
        Client here = signedIn.user();
        String id = here.get(APP + "sessions").json().at("/sessions/1/id").textValue();
        service.client().post(APP + "users", LOGIN.replace("Ann", "Bob"));
        Client stranger = session(LOGIN.replace("Ann", "Bob"));

        assertThat(delete(stranger, "sessions/" + id).status()).isEqualTo(404);
        assertThat(other.get(APP + "me").status()).isEqualTo(200);
        assertThat(delete(here, "sessions/" + id).status()).isEqualTo(204);
        assertThat(other.get(APP + "me").status()).isEqualTo(401);
        assertThat(delete(here, "sessions/" + id).status()).isEqualTo(404);
        assertThat(delete(here, "sessions/here").status()).isEqualTo(404);
        assertThat(here.get(APP + "me").status()).isEqualTo(200);
    }

    @Test
    void all_other_sessions_end_together() {
        Client one = signedIn.user();
        Client two = signedIn.user();
        Client here = signedIn.user();

        assertThat(delete(here, "sessions").status()).isEqualTo(204);
        assertThat(one.get(APP + "me").status()).isEqualTo(401);
        assertThat(two.get(APP + "me").status()).isEqualTo(401);
        assertThat(here.get(APP + "sessions").json().get("sessions")).hasSize(1);
    }

    @Test
    void a_changed_password_ends_the_other_sessions_and_is_needed_from_then_on() {
        Client other = signedIn.user();
        Client here = signedIn.user();

        assertThat(here.post(APP + "me/password", CHANGE).status()).isEqualTo(204);

        assertThat(other.get(APP + "me").status()).isEqualTo(401);
        assertThat(here.get(APP + "me").status()).isEqualTo(200);
        assertThat(service.client().post(APP + "session", LOGIN).status()).isEqualTo(401);
        assertThat(service.client()
                        .post(APP + "session", LOGIN.replace("correct horse battery", NEW_PASSWORD))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_new_password_follows_the_rules_of_a_sign_up() {
        Client here = signedIn.user();

        assertThat(here.post(APP + "me/password", CHANGE.replace(NEW_PASSWORD, "short"))
                        .status())
                .isEqualTo(400);
        assertThat(here.post(APP + "me/password", CHANGE.replace(NEW_PASSWORD, "Password1234"))
                        .json()
                        .get("message")
                        .textValue())
                .isEqualTo("new is one of the most common ones; choose one that nobody would try first.");
        assertThat(service.client().post(APP + "session", LOGIN).status()).isEqualTo(200);
    }

    @Test
    void a_wrong_present_password_is_refused_and_throttled() {
        Client here = signedIn.user();
        String wrong = CHANGE.replace("battery", "stapler");

        Seen refused = here.post(APP + "me/password", wrong);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().get("error").textValue()).isEqualTo("wrong_password");
        for (int more = 1; more < 5; more++) {
            assertThat(here.post(APP + "me/password", wrong).status()).isEqualTo(403);
        }
        Seen over = here.post(APP + "me/password", CHANGE);
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.json().get("error").textValue()).isEqualTo("sign_in_throttled");
        assertThat(here.get(APP + "me").status()).isEqualTo(200);
        service.clock.advance(Duration.ofMinutes(16));
        assertThat(here.post(APP + "me/password", CHANGE).status()).isEqualTo(204);
    }

    private static Seen delete(Client client, String name) {
        return client.send("DELETE", APP + name, BodyPublishers.noBody());
    }

    private Client session(String login) {
        String cookie = service.client().post(APP + "session", login).header("Set-Cookie");
        return service.client().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }
}
