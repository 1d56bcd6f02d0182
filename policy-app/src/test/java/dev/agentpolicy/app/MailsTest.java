package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMailUtil;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mails of a service that has a mail server. */
class MailsTest {
    private static final String CONSOLE = "http://localhost";
    private static final long SOON_NANOS = 5_000_000_000L;

    private final MailServer server = MailServer.start();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_waiting_request_is_mailed_within_five_seconds_without_amounts_unless_asked_for() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:mails", server.settings(CONSOLE))) {
            ProposalClient queue = ProposalClient.of(node.caller());
            confirm(node, queue.household());
            queue.household().mint("live");
            server.await("A key was made");
            long plain = queue.queued("1234");

            String text = GreenMailUtil.getBody(server.await("A request waits for you"));
            assertThat(text).contains("http://localhost/requests/" + plain).doesNotContain("1234");

            server.forget();
            ProposalClient amounts = wanting("with_amounts", node);
            amounts.queued("1235");
            assertThat(GreenMailUtil.getBody(server.await("A request waits for you")))
                    .contains("1235 USD");

            server.forget();
            ProposalClient off = wanting("off", node);
            off.queued("1236");
            off.household().mint("live");
            server.await("A key was made");
            assertThat(server.subjects()).doesNotContain("A request waits for you");
        }
    }

    private ProposalClient wanting(String requestMails, ServiceNode node) throws Exception {
        ProposalClient queue = ProposalClient.of(node.caller());
        confirm(node, queue.household());
        queue.household()
                .user()
                .put(APP + "me", "{\"requestMails\":\"" + requestMails + "\"}")
                .ok();
        return queue;
    }

    @Test
    void a_forgotten_password_is_set_by_the_link_in_a_mail() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:resets", server.settings(CONSOLE))) {
            TestHousehold household = TestHousehold.signUp(node.caller());
            ApiCaller user = household.user();
            String email = user.get(APP + "me").ok().json().get("email").textValue();

            assertThat(node.caller()
                            .post(APP + "password-reset", "{\"email\":\"" + email + "\"}")
                            .status())
                    .isEqualTo(202);

            MimeMessage mail = server.await("Set a new password");
            assertThat(mail.getAllRecipients()).extracting(Object::toString).containsExactly(email);
            assertThat(mail.getFrom()).extracting(Object::toString).containsExactly(MailServer.FROM);
            String text = GreenMailUtil.getBody(mail);
            String token = text.replaceAll("(?s).*http://localhost/sign-in#password-reset=([A-Za-z0-9_-]+).*", "$1");
            assertThat(node.caller()
                            .post(APP + "password-reset/" + token, "{\"password\":\"a staple nobody tries\"}")
                            .status())
                    .isEqualTo(204);
            server.await("Your password was changed");
            assertThat(node.caller()
                            .post(
                                    APP + "session",
                                    "{\"email\":\"" + email + "\",\"password\":\"a staple nobody tries\"}")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_connection_that_ends_since_an_old_token_of_it_was_used_is_mailed() throws Exception {
        Map<String, String> settings = new HashMap<>(server.settings(CONSOLE));
        settings.put("POLICY_OAUTH_REFRESH_GRACE_SECONDS", "0");
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:connections", settings)) {
            TestHousehold household = TestHousehold.signUp(node.caller());
            confirm(node, household);
            ConnectingClient client = ConnectingClient.registered(node.caller(), "http://127.0.0.1/callback");
            JsonNode stolen = client.connected(household, ConnectingClient.CONSENT);
            server.await("A key was made");
            JsonNode newer =
                    client.refresh(stolen.get("refresh_token").textValue()).ok().json();
            client.with(newer).get(TestHousehold.API + "whoami").ok();

            assertThat(client.refresh(stolen.get("refresh_token").textValue()).status())
                    .isEqualTo(400);

            assertThat(GreenMailUtil.getBody(server.await("A connection was ended, since its token may be stolen")))
                    .contains("http://localhost/agents")
                    .doesNotContain("svc_");
            assertThat(client.with(newer).get(TestHousehold.API + "whoami").status())
                    .isEqualTo(401);
        }
    }

    @Test
    void passkeys_are_mailed_when_they_are_added_and_removed() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:passkeys", server.settings(CONSOLE))) {
            TestHousehold household = TestHousehold.signUp(node.caller());
            confirm(node, household);
            ApiCaller user = household.user();
            SoftPasskey passkey = new SoftPasskey();
            String challenge = user.post(APP + "passkeys/options", "{}")
                    .ok()
                    .json()
                    .get("challenge")
                    .textValue();
            Circumstances here = new Circumstances().rpId("localhost").origin("http://localhost");
            String registration = passkey.registrationJson(challenge, here);
            user.post(APP + "passkeys", "{\"name\":\"My phone\",\"credential\":" + registration + "}")
                    .ok();
            assertThat(GreenMailUtil.getBody(server.await("A passkey was added")))
                    .contains("My phone");

            user.with("Content-Type", "application/json")
                    .send(
                            "DELETE",
                            APP + "passkeys/" + passkey.credentialId(),
                            "{\"password\":\"correct horse battery\"}")
                    .ok();
            assertThat(GreenMailUtil.getBody(server.await("A passkey was removed")))
                    .contains("My phone");
        }
    }

    @Test
    void a_mail_server_that_is_away_delays_and_fails_nothing_and_logs_no_address() {
        Map<String, String> settings = server.settings(CONSOLE);
        server.close();
        try (CapturedLog log = new CapturedLog();
                ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:away", settings)) {
            ProposalClient queue = ProposalClient.of(node.caller());
            long begin = System.nanoTime();
            queue.queued("10");
            assertThat(System.nanoTime() - begin).isLessThan(3_000_000_000L);
            awaitLog(log);
            assertThat(log.messages()).filteredOn(line -> line.contains("mail")).noneMatch(line -> line.contains("@"));
        }
    }

    @Test
    void an_old_account_whose_address_never_parses_harms_nobody_and_no_new_one_gets_such_an_address() throws Exception {
        String database = "jdbc:h2:mem:flood";
        try (ServiceNode node = ServiceNode.start(folder, database, server.settings(CONSOLE))) {
            TestHousehold flooder = TestHousehold.signUp(node.caller());
            String email = email(flooder);
            try (Connection connection = DriverManager.getConnection(database);
                    Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "UPDATE app_user SET email = '.a@b.cc', email_confirmed = TRUE WHERE email = '" + email + "'");
            }
            for (int i = 0; i < 15; i++) {
                flooder.mint("live");
            }
            TestHousehold other = TestHousehold.signUp(node.caller());
            confirm(node, other);
            node.caller().post(APP + "password-reset", "{\"email\":\"" + email(other) + "\"}");
            server.await("Set a new password", email(other));
            assertThat(node.caller().get("/metrics").text()).contains("policy_mails_total{outcome=\"refused\"}");
            assertThat(node.caller()
                            .post(APP + "users", "{\"email\":\".a@b.cc\",\"password\":\"correct horse battery\"}")
                            .status())
                    .isEqualTo(400);
        }
    }

    @Test
    void an_address_gets_nothing_but_links_until_it_is_confirmed() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:unconfirmed", server.settings(CONSOLE))) {
            ProposalClient queue = ProposalClient.of(node.caller());
            queue.queued("1234");
            assertThat(queue.household().user().get(APP + "me").ok().json().get("emailConfirmed"))
                    .hasToString("false");

            confirm(node, queue.household());
            assertThat(server.subjects()).containsExactly("Confirm your address");
            assertThat(queue.household().user().get(APP + "me").ok().json().get("emailConfirmed"))
                    .hasToString("true");
            queue.queued("1235");
            server.await("A request waits for you", email(queue.household()));
        }
    }

    @Test
    void a_sign_in_from_somewhere_new_names_the_browser_and_repeats_none_of_its_words() throws Exception {
        try (ServiceNode node = ServiceNode.start(folder, "jdbc:h2:mem:browsers", server.settings(CONSOLE))) {
            TestHousehold household = TestHousehold.signUp(node.caller());
            confirm(node, household);

            node.caller()
                    .with("User-Agent", "Firefox/1 on Linux; call 555 1234 or https://evil.example")
                    .post(
                            APP + "session",
                            "{\"email\":\"" + email(household) + "\",\"password\":\"correct horse battery\"}")
                    .ok();

            assertThat(GreenMailUtil.getBody(server.await("A sign-in from somewhere new")))
                    .containsPattern(
                            "at [0-9]{2}:[0-9]{2} UTC on [0-9]{1,2} [A-Z][a-z]+ 20[0-9]{2} from 127.0.0.1 with Firefox on Linux\\.")
                    .doesNotContain("555", "evil");
        }
    }

    private static String email(TestHousehold household) {
        return household.user().get(APP + "me").ok().json().get("email").textValue();
    }

    /** Follows the link in the mail to a new address. */
    private void confirm(ServiceNode node, TestHousehold household) throws MessagingException {
        String link = server.awaitLink("Confirm your address", email(household));
        String token = link.substring(link.indexOf('=') + 1);
        assertThat(node.caller().post(APP + "email-confirmation/" + token, "").status())
                .isEqualTo(204);
    }

    private static void awaitLog(CapturedLog log) {
        long end = System.nanoTime() + SOON_NANOS;
        while (log.messages().stream().noneMatch(line -> line.contains("A mail could not be sent"))
                && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(log.messages()).anyMatch(line -> line.contains("A mail could not be sent"));
    }
}
