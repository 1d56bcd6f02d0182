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
import dev.agentpolicy.adapter.http.agent.DescribedCalls;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.LookupThrottle;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.agent.UserId;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users are told by mail, and the links in mails. */
class AccountMailsTest {
    private static final String EMAIL = "{\"email\":\"ann@example.org\"}";
    private static final String NEW_PASSWORD = "{\"password\":\"a staple nobody tries\"}";
    private static final String NEW_LOGIN = LOGIN.replace("correct horse battery", "a staple nobody tries");
    private static final String MOVE = "{\"email\":\"Ann@example.net\",\"password\":\"correct horse battery\"}";

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client stranger = service.client();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_waiting_request_and_keys_are_told_once_and_decisions_are_not() {
        Client agent = signedIn.agent();
        Client user = signedIn.user();
        assertThat(service.notices.of(Notice.KeyMinted.class))
                .extracting(Notice.KeyMinted::name)
                .containsExactly("Robot");
        agent.post(Client.VALIDATE, TRADE);
        assertThat(service.notices.of(Notice.RequestWaits.class)).isEmpty();
        Client once = agent.with("Idempotency-Key", "once");
        once.post(PROPOSE, TRADE);
        long id = once.post(PROPOSE, TRADE).json().get("serviceRequestId").longValue();
        assertThat(service.notices.of(Notice.RequestWaits.class))
                .extracting(notice -> notice.proposal().id())
                .containsExactly(id);

        String key = user.get(APP + "keys").json().at("/keys/0/agentKeyId").textValue();
        user.send("DELETE", APP + "keys/" + key, BodyPublishers.noBody());
        assertThat(service.notices.of(Notice.KeyRevoked.class)).hasSize(1);
        assertThat(service.notices.of(Notice.RequestWaits.class)).hasSize(1);
    }

    @Test
    void a_sign_in_from_somewhere_new_is_told_and_one_from_the_same_place_is_not() {
        signedIn.user();
        int before = service.notices.of(Notice.NewSignIn.class).size();
        signedIn.user();
        assertThat(service.notices.of(Notice.NewSignIn.class)).hasSize(before);

        stranger.with("User-Agent", "Another/2.0").post(APP + "session", LOGIN);

        assertThat(service.notices.last(Notice.NewSignIn.class).agent()).isEqualTo("Another/2.0");
    }

    @Test
    void a_forgotten_password_is_set_once_by_the_link_in_a_mail() {
        Client open = signedIn.user();
        assertThat(stranger.post(APP + "password-reset", EMAIL).status()).isEqualTo(202);
        String path = APP + "password-reset/"
                + service.notices.last(Notice.PasswordReset.class).token();

        assertThat(stranger.post(path, NEW_PASSWORD.replace("a staple nobody tries", "password1234"))
                        .status())
                .isEqualTo(400);
        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(204);

        assertThat(open.get(APP + "me").status()).isEqualTo(401);
        assertThat(stranger.post(APP + "session", NEW_LOGIN).status()).isEqualTo(200);
        assertThat(service.notices.of(Notice.PasswordChanged.class)).hasSize(1);
        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(404);
    }

    @Test
    void a_link_that_the_service_was_too_busy_for_works_again() {
        stranger.post(APP + "password-reset", EMAIL);
        String path = APP + "password-reset/"
                + service.notices.last(Notice.PasswordReset.class).token();

        service.passwords.setBusy(true);
        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(503);
        service.passwords.setBusy(false);

        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(204);
        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(404);
    }

    @Test
    void a_stranger_who_tries_links_without_end_has_to_wait_for_the_next_second() {
        signedIn.user();
        stranger.post(APP + "password-reset", EMAIL);
        String path = APP + "password-reset/"
                + service.notices.last(Notice.PasswordReset.class).token();
        service.clock.advance(Duration.ofSeconds(1));
        for (int i = 0; i < LookupThrottle.MAX_UNKNOWN_PER_SECOND; i++) {
            String made = i % 2 == 0 ? "password-reset/made-up" : "email-confirmation/made-up";
            assertThat(stranger.post(APP + made, i % 2 == 0 ? NEW_PASSWORD : "").status())
                    .isEqualTo(404);
        }

        Seen reset = stranger.post(path, NEW_PASSWORD);
        assertThat(reset.status()).isEqualTo(429);
        assertThat(reset.json().get("error").textValue()).isEqualTo("rate_limit_exceeded");
        assertThat(reset.header("Retry-After")).isEqualTo("1");
        assertThat(stranger.post(APP + "email-confirmation/made-up", "").status())
                .isEqualTo(429);
        service.clock.advance(Duration.ofSeconds(1));
        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(204);
    }

    @Test
    void a_link_works_for_an_hour() {
        stranger.post(APP + "password-reset", EMAIL);
        String path = APP + "password-reset/"
                + service.notices.last(Notice.PasswordReset.class).token();
        service.clock.advance(Duration.ofHours(1));

        assertThat(stranger.post(path, NEW_PASSWORD).status()).isEqualTo(404);
        assertThat(stranger.post(APP + "session", LOGIN).status()).isEqualTo(200);
    }

    @Test
    void asking_for_a_link_answers_the_same_whatever_the_address_and_however_often() {
        for (int i = 0; i < 5; i++) {
            assertThat(stranger.post(APP + "password-reset", EMAIL).status()).isEqualTo(202);
            assertThat(stranger.post(APP + "password-reset", EMAIL.replace("ann", "nobody"))
                            .status())
                    .isEqualTo(202);
        }
        assertThat(service.notices.of(Notice.PasswordReset.class)).hasSize(3);
    }

    @Test
    void a_new_address_counts_once_it_is_confirmed() {
        Client user = signedIn.user();

        Seen asked = user.post(APP + "me/email", MOVE);

        assertThat(asked.json().toString())
                .isEqualTo("{\"email\":\"ann@example.org\",\"pendingEmail\":\"ann@example.net\"}");
        assertThat(user.get(APP + "me").json().get("pendingEmail").textValue()).isEqualTo("ann@example.net");
        Notice.EmailConfirmation mail = service.notices.last(Notice.EmailConfirmation.class);
        assertThat(mail.recipient()).contains("ann@example.net");
        assertThat(service.notices.of(Notice.EmailChanged.class)).isEmpty();
        assertThat(user.post(APP + "email-confirmation/" + mail.token(), "").status())
                .isEqualTo(204);
        assertThat(service.notices.last(Notice.EmailChanged.class).recipient()).contains("ann@example.org");
        assertThat(user.get(APP + "me").json().get("email").textValue()).isEqualTo("ann@example.net");
        assertThat(user.get(APP + "me").json().get("pendingEmail").isNull()).isTrue();
        assertThat(stranger.post(APP + "email-confirmation/" + mail.token(), "").status())
                .isEqualTo(404);
        assertThat(stranger.post(APP + "password-reset/" + mail.token(), NEW_PASSWORD)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void a_new_address_ends_all_sessions_but_that_of_the_browser_that_changes_it() {
        Client user = signedIn.user();
        Client other = signedIn.user();
        user.post(APP + "me/email", MOVE);
        assertThat(other.get(APP + "me").status()).isEqualTo(200);

        String token = service.notices.last(Notice.EmailConfirmation.class).token();
        assertThat(user.post(APP + "email-confirmation/" + token, "").status()).isEqualTo(204);

        assertThat(user.get(APP + "me").status()).isEqualTo(200);
        assertThat(other.get(APP + "me").status()).isEqualTo(401);
        user.post(APP + "me/email", MOVE.replace("net", "com"));
        String later = service.notices.last(Notice.EmailConfirmation.class).token();
        assertThat(stranger.post(APP + "email-confirmation/" + later, "").status())
                .isEqualTo(204);
        assertThat(user.get(APP + "me").status()).isEqualTo(401);
    }

    @Test
    void a_changed_password_ends_the_links_that_were_sent_before() {
        Client user = signedIn.user();
        user.post(APP + "me/email", MOVE);
        stranger.post(APP + "password-reset", EMAIL);
        user.post(APP + "me/password", "{\"current\":\"correct horse battery\",\"new\":\"a staple nobody tries\"}");

        String reset = service.notices.last(Notice.PasswordReset.class).token();
        assertThat(stranger.post(APP + "password-reset/" + reset, NEW_PASSWORD).status())
                .isEqualTo(404);
        String confirmation =
                service.notices.last(Notice.EmailConfirmation.class).token();
        assertThat(stranger.post(APP + "email-confirmation/" + confirmation, "").status())
                .isEqualTo(404);
        assertThat(user.get(APP + "me").json().get("pendingEmail").isNull()).isTrue();
    }

    @Test
    void without_mails_the_address_changes_at_once_and_passwords_are_not_reset() {
        service.notices.turn(false);
        Client user = signedIn.user();
        Client other = signedIn.user();

        assertThat(user.post(APP + "me/email", MOVE).json().toString())
                .isEqualTo("{\"email\":\"ann@example.net\",\"pendingEmail\":null}");
        assertThat(other.get(APP + "me").status()).isEqualTo(401);
        assertThat(user.get(APP + "me").json().get("mail").booleanValue()).isFalse();
        Expect.error(
                stranger.post(APP + "password-reset", EMAIL),
                404,
                "{\"error\":\"not_found\",\"message\":\"This service sends no mails.\"}");
        assertThat(stranger.post(APP + "password-reset/any", NEW_PASSWORD).status())
                .isEqualTo(404);
    }

    @Test
    void the_address_changes_only_with_the_password_and_the_choice_of_mails_is_kept() {
        Client user = signedIn.user();

        assertThat(user.post(APP + "me/email", MOVE.replace("battery", "stapler"))
                        .status())
                .isEqualTo(403);
        assertThat(user.get(APP + "me").json().get("requestMails").textValue()).isEqualTo("plain");
        assertThat(user.put(APP + "me", "{\"requestMails\":\"with_amounts\"}").status())
                .isEqualTo(200);
        assertThat(user.get(APP + "me").json().get("requestMails").textValue()).isEqualTo("with_amounts");
        assertThat(user.put(APP + "me", "{\"requestMails\":\"sometimes\"}").status())
                .isEqualTo(400);
    }

    @Test
    void all_notices_are_chosen_together_and_stay_beside_the_mails_alone() {
        Client user = signedIn.user();
        String chosen =
                "{\"push\":\"off\",\"mail\":\"with_amounts\",\"quietHours\":{\"start\":\"22:00\",\"end\":\"06:30\","
                        + "\"tz\":\"Europe/Berlin\"},\"digestMinutes\":60}";

        assertThat(user.put(APP + "me", "{\"notices\":" + chosen + "}").json().get("notices"))
                .isEqualTo(Client.json(chosen));
        user.put(APP + "me", "{\"requestMails\":\"plain\"}");

        assertThat(user.get(APP + "me").json().get("notices"))
                .isEqualTo(Client.json(chosen.replace("with_amounts", "plain")));
        for (String wrong : List.of(
                "{}",
                "{\"notices\":{}}",
                "{\"notices\":" + chosen.replace("Berlin", "Bonn") + "}",
                "{\"notices\":" + chosen.replace("Europe/Berlin", "SystemV/PST8PDT") + "}")) {
            assertThat(user.put(APP + "me", wrong).status()).as(wrong).isEqualTo(400);
        }
    }

    @Test
    void a_device_is_added_only_with_an_https_address_that_is_public_and_its_user_is_told() {
        Client user = signedIn.user();
        String device = DescribedCalls.DEVICE;

        assertThat(user.post(APP + "push", device).status()).isEqualTo(201);
        assertThat(service.notices.last(Notice.DeviceAdded.class).name()).isEqualTo("Phone");
        for (String endpoint : List.of(
                "http://push.example/abc",
                "https://localhost/abc",
                "https://a@push.example/abc",
                "https:abc",
                "/abc")) {
            Seen refused = user.post(APP + "push", device.replace("https://push.example/abc", endpoint));
            assertThat(refused.status()).as(endpoint).isEqualTo(400);
            assertThat(refused.json().get("message").textValue()).startsWith("subscription.endpoint must be");
        }
        for (String noPoint : List.of("CCVxsr7N", "BCVxsr7M")) {
            assertThat(user.post(APP + "push", device.replace("BCVxsr7N", noPoint))
                            .status())
                    .as(noPoint)
                    .isEqualTo(400);
        }
        JsonNode devices = user.get(APP + "push").json().get("devices");
        assertThat(devices).hasSize(1);

        user.send("DELETE", APP + "push/" + devices.get(0).get("id").textValue(), BodyPublishers.noBody());
        assertThat(service.notices.last(Notice.DeviceRemoved.class).name()).isEqualTo("Phone");
    }

    @Test
    void a_change_to_an_address_that_is_taken_answers_as_one_to_an_address_that_is_free() {
        stranger.post(APP + "users", LOGIN.replace("Ann", "Bob"));
        Client user = signedIn.user();
        int before = service.notices.of(Notice.EmailConfirmation.class).size();

        Seen taken = user.post(APP + "me/email", MOVE.replace("Ann@example.net", "bob@example.org"));

        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.json().toString())
                .isEqualTo("{\"email\":\"ann@example.org\",\"pendingEmail\":\"bob@example.org\"}");
        assertThat(user.get(APP + "me").json().get("pendingEmail").textValue()).isEqualTo("bob@example.org");
        assertThat(service.notices.of(Notice.EmailConfirmation.class)).hasSize(before);
        Seen free = user.post(APP + "me/email", MOVE);
        assertThat(free.json().toString())
                .isEqualTo(taken.json().toString().replace("bob@example.org", "ann@example.net"));
        assertThat(service.notices.of(Notice.EmailConfirmation.class)).hasSize(before + 1);
    }

    @Test
    void three_links_an_hour_are_mailed_to_a_new_address_and_the_last_goes_on_working() {
        Client user = signedIn.user();
        int before = service.notices.of(Notice.EmailConfirmation.class).size();

        for (int i = 0; i < 5; i++) {
            assertThat(user.post(APP + "me/email", MOVE)
                            .json()
                            .get("pendingEmail")
                            .textValue())
                    .isEqualTo("ann@example.net");
        }

        assertThat(service.notices.of(Notice.EmailConfirmation.class)).hasSize(before + 3);
        String token = service.notices.last(Notice.EmailConfirmation.class).token();
        assertThat(stranger.post(APP + "email-confirmation/" + token, "").status())
                .isEqualTo(204);
    }

    @Test
    void a_network_has_twenty_links_an_hour_mailed_to_new_addresses() {
        Client user = signedIn.user();

        for (int i = 0; i < 25; i++) {
            service.clock.advance(Duration.ofSeconds(1));
            user.post(APP + "me/email", MOVE.replace("Ann@", "ann" + i + "@"));
        }

        assertThat(service.notices.of(Notice.EmailConfirmation.class)).hasSize(20);
        assertThat(user.get(APP + "me").json().get("pendingEmail").textValue()).isEqualTo("ann24@example.net");
    }

    @Test
    void an_address_is_not_confirmed_until_the_link_to_it_is_followed_which_can_be_sent_again() {
        Client user = newcomer("Bob");
        assertThat(isConfirmed(user)).isFalse();
        String first = service.notices.last(Notice.EmailConfirmation.class).token();

        Seen again = user.post(APP + "me/email", MOVE.replace("Ann@example.net", "bob@example.org"));
        assertThat(again.json().toString()).isEqualTo("{\"email\":\"bob@example.org\",\"pendingEmail\":null}");
        assertThat(stranger.post(APP + "email-confirmation/" + first, "").status())
                .isEqualTo(404);
        Notice.EmailConfirmation mail = service.notices.last(Notice.EmailConfirmation.class);
        assertThat(mail.recipient()).contains("bob@example.org");
        assertThat(stranger.post(APP + "email-confirmation/" + mail.token(), "").status())
                .isEqualTo(204);

        assertThat(isConfirmed(user)).as("and the session goes on").isTrue();
        assertThat(service.notices.of(Notice.EmailChanged.class)).isEmpty();
    }

    @Test
    void a_followed_link_to_a_new_password_confirms_the_address_too() {
        newcomer("Bob");
        stranger.post(APP + "password-reset", EMAIL.replace("ann", "bob"));
        Notice.PasswordReset mail = service.notices.last(Notice.PasswordReset.class);

        assertThat(stranger.post(APP + "password-reset/" + mail.token(), NEW_PASSWORD)
                        .status())
                .isEqualTo(204);

        String cookie =
                stranger.post(APP + "session", NEW_LOGIN.replace("Ann", "Bob")).header("Set-Cookie");
        assertThat(isConfirmed(stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')))))
                .isTrue();
    }

    @Test
    void a_former_address_that_was_never_confirmed_is_told_nothing() {
        Client user = newcomer("Bob");
        user.post(APP + "me/email", MOVE);
        String token = service.notices.last(Notice.EmailConfirmation.class).token();

        assertThat(user.post(APP + "email-confirmation/" + token, "").status()).isEqualTo(204);

        assertThat(user.get(APP + "me").json().get("email").textValue()).isEqualTo("ann@example.net");
        assertThat(isConfirmed(user)).isTrue();
        assertThat(service.notices.of(Notice.EmailChanged.class)).isEmpty();
    }

    @Test
    void an_address_that_cannot_be_mailed_is_refused_for_new_accounts_and_changes_and_goes_on_working_for_old_ones() {
        String refused = "{\"error\":\"invalid_payload\",\"message\":\"email must be an address that mails can be sent"
                + " to.\",\"violations\":[{\"rule\":\"invalid_payload\",\"message\":\"email must be an address that mails can be"
                + " sent to.\"}]}";
        Expect.error(stranger.post(APP + "users", LOGIN.replace("Ann", ".Ann")), 400, refused);
        Expect.error(signedIn.user().post(APP + "me/email", MOVE.replace("Ann", ".Ann")), 400, refused);

        UserId old = new UserId(UUID.randomUUID());
        service.store
                .users()
                .add(new User(
                        old, ".ann@example.org", service.passwords.hash("correct horse battery"), TestService.NOW));
        assertThat(stranger.post(APP + "session", LOGIN.replace("Ann", ".Ann")).status())
                .isEqualTo(200);
    }

    private Client newcomer(String name) {
        String login = LOGIN.replace("Ann", name);
        stranger.post(APP + "users", login);
        String cookie = stranger.post(APP + "session", login).header("Set-Cookie");
        return stranger.with("Cookie", cookie.substring(0, cookie.indexOf(';')));
    }

    private static boolean isConfirmed(Client user) {
        return user.get(APP + "me").json().get("emailConfirmed").booleanValue();
    }
}
