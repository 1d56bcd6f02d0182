package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.app.MailServer;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The links in mails, opened in a browser as the mail server got them. */
class ConsoleMailLinksTest extends ConsoleBench {
    private static final String DATABASE = "jdbc:h2:mem:mail-links";
    private static final String NEXT = "a staple nobody tries";
    private static final String OVER = "This link does not work any more. Ask for another mail.";

    private final MailServer mails = MailServer.start();

    @Override
    Map<String, String> settings() {
        String port = freePort();
        Map<String, String> settings = new HashMap<>(mails.settings("http://localhost:" + port));
        settings.put("POLICY_PORT", port);
        settings.put("POLICY_DB_URL", DATABASE);
        return settings;
    }

    /** The links have to name the port before the service is there. */
    private static String freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    @AfterAll
    void stop() {
        mails.close();
    }

    @Test
    void a_forgotten_password_is_set_by_the_link_in_a_mail_once() throws MessagingException {
        ConsoleHousehold household = household();
        Tab tab = browser.open(service.address(), NARROW).go("/").click("Forgot your password?");
        tab.fill("email", household.email()).click("Send the mail").sees("a mail with a link is on its way.");
        assertThat(Axe.violations(tab)).isEmpty();
        String link = mails.awaitLink("Set a new password", household.email());

        open(tab, link).sees("Afterwards you sign in with it; all sessions end.");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("password", "short").click("Set the password").sees("Use at least 12 characters; you have 5.");
        tab.fill("password", NEXT).click("Set the password").sees("Your agents propose. You decide.");
        assertThat(tab.evaluate("location.hash").asString()).isEmpty();
        assertThatThrownBy(() -> household.app().get("/me")).hasMessageContaining("401");
        tab.fill("email", household.email()).fill("password", NEXT).click("Sign in");
        tab.sees("Headroom");

        open(tab, link)
                .fill("password", "another one of mine")
                .click("Set the password")
                .sees(OVER);
        tab.sees("Links work once, and for an hour.");
        assertThat(Axe.violations(tab)).isEmpty();
        ConsoleAgent.signIn(service.address(), household.email(), NEXT);
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_link_of_an_hour_ago_sets_no_password() throws Exception {
        ConsoleHousehold household = household();
        Tab tab = browser.open(service.address(), WIDE).go("/").click("Forgot your password?");
        tab.fill("email", household.email()).click("Send the mail").sees("a mail with a link is on its way.");
        String link = mails.awaitLink("Set a new password", household.email());
        letAnHourPass();

        open(tab, link).fill("password", NEXT).click("Set the password").sees(OVER);
        assertThat(tab.evaluate("document.getElementById('password').value").asString())
                .isEqualTo(NEXT);
        tab.click("Sign in instead").fill("email", household.email()).fill("password", PASSWORD);
        tab.click("Sign in").sees("Headroom");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_link_that_is_opened_where_the_page_to_sign_in_is_open_already_leads_to_the_new_password()
            throws MessagingException {
        ConsoleHousehold household = household();
        Tab tab = browser.open(service.address(), WIDE).go("/sign-in").click("Forgot your password?");
        tab.fill("email", household.email()).click("Send the mail").sees("a mail with a link is on its way.");

        open(tab, mails.awaitLink("Set a new password", household.email())).sees("Set a new password");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_new_address_counts_once_the_link_in_the_mail_to_it_is_opened() throws MessagingException {
        ConsoleHousehold household = household();
        String next = "next-" + household.email();
        Tab tab = household.tab(browser, WIDE).go("/account").fill("new-email", next);
        tab.fill("email-password", PASSWORD).click("Change address");
        tab.sees("Waiting for confirmation: " + next);
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(household.app().get("/me").get("email").asString()).isEqualTo(household.email());
        String link = mails.awaitLink("Confirm your address", next);

        Tab elsewhere = open(browser.open(service.address(), NARROW), link).sees("This is your address now.");
        assertThat(Axe.violations(elsewhere)).isEmpty();
        open(browser.open(service.address(), NARROW), link).sees(OVER);
        elsewhere.click("Go on").fill("email", next).fill("password", PASSWORD).click("Sign in");
        elsewhere.sees("Headroom");

        assertThat(elsewhere.go("/account").sees(next).text("#main")).doesNotContain("Waiting for confirmation");
        assertThat(elsewhere.complaints()).isEmpty();
        tab.go("/account").sees("Create an account");
    }

    @Test
    void an_address_that_is_not_confirmed_is_said_so_and_its_link_is_sent_again() throws MessagingException {
        ConsoleHousehold household = household();
        mails.awaitLink("Confirm your address", household.email());
        mails.forget();
        Tab tab = household.tab(browser, WIDE).go("/account").sees("This address is not confirmed yet");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.fill("email-password", PASSWORD).click("Send the link again");
        String link = mails.awaitLink("Confirm your address", household.email());
        open(tab, link).sees("This is your address now.");

        tab.click("Go on").go("/account").sees("When a request waits");
        assertThat(tab.text("#main")).doesNotContain("not confirmed yet").contains("Change address");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_confirmation_of_an_hour_ago_changes_no_address_and_says_so() throws Exception {
        ConsoleHousehold household = household();
        String next = "late-" + household.email();
        Tab tab = household.tab(browser, WIDE).go("/account").fill("new-email", next);
        tab.fill("email-password", PASSWORD).click("Change address");
        String link = mails.awaitLink("Confirm your address", next);
        letAnHourPass();

        open(tab, link).sees(OVER);
        assertThat(tab.text("main")).doesNotContain("This is your address now.");
        tab.click("Go on").sees("Headroom").go("/account").sees(household.email());
        assertThat(household.app().get("/me").get("email").asString()).isEqualTo(household.email());
        assertThat(tab.complaints()).isEmpty();
    }

    private static Tab open(Tab tab, String link) {
        tab.send("Page.navigate", Map.of("url", link));
        return tab.until("location.href === " + Tab.quoted(link) + " && document.querySelector('h1')");
    }

    /** Moves the end of all links into the past. */
    private static void letAnHourPass() throws SQLException {
        try (Connection connection = DriverManager.getConnection(DATABASE);
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate("UPDATE mail_token SET expires_at = expires_at - INTERVAL '1' HOUR"))
                    .isPositive();
        }
    }
}
