package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people do with their account: password, sessions, how the console looks, export and deletion. */
class ConsoleAccountTest extends ConsoleBench {
    private static final String NEXT = "a new battery of horses";

    @Test
    void a_changed_password_ends_the_other_sessions() {
        ConsoleHousehold household = household();
        Tab other = signIn(household.email(), PASSWORD);
        Tab tab = household.tab(browser, WIDE).go("/account").sees("Where you are signed in");

        tab.fill("current-password", "wrong wrong wrong")
                .fill("new-password", "short")
                .click("Change password");
        tab.sees("Use at least 12 characters; you have 5.");
        tab.fill("new-password", NEXT).click("Change password").sees("Enter the password that you sign in with.");
        tab.fill("current-password", PASSWORD).click("Change password").sees("All other sessions have ended.");

        other.go("/policy").sees("Your agents propose. You decide.");
        other.fill("email", household.email())
                .fill("password", NEXT)
                .click("Sign in")
                .sees("Version 1");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_session_elsewhere_is_listed_and_ended() {
        ConsoleHousehold household = household();
        Tab other = signIn(household.email(), PASSWORD);
        Tab tab = household.tab(browser, WIDE).go("/account").sees("This one").sees("Chrome");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.until("document.querySelectorAll('[data-session]').length >= 2").click("End all others");
        tab.until("document.querySelectorAll('[data-session]').length === 1");
        other.go("/policy").sees("Your agents propose. You decide.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_tab_whose_session_was_ended_asks_for_the_password_at_once_and_hears_of_changes_again() {
        ConsoleHousehold household = household();
        Tab other = signIn(household.email(), PASSWORD);
        Tab tab = household.tab(browser, WIDE).go("/account").sees("This one");
        tab.until("document.querySelectorAll('[data-session]').length >= 2").click("End all others");

        other.sees("Your session has ended")
                .fill("password", PASSWORD)
                .click("Sign in and go on")
                .until("!document.querySelector('dialog[open]')");
        household.agent().propose(BUY_BTC);
        other.until("document.title.startsWith('(1) ')");
        assertThat(other.complaints()).isEmpty();
    }

    @Test
    void a_new_password_is_counted_in_characters_by_every_form() {
        String sevenKeys = "🔑".repeat(7);
        Tab stranger = browser.open(service.address(), WIDE).go("/sign-up").fill("email", "keys@example.org");
        stranger.fill("password", sevenKeys).click("Create account").sees("Use at least 12 characters; you have 7.");
        stranger.fill("password", "🔑".repeat(129))
                .click("Create account")
                .sees("Use at most 128 characters; you have 129.");

        Tab tab = household().tab(browser, WIDE).go("/account");
        tab.fill("new-password", sevenKeys).click("Change password").sees("Use at least 12 characters; you have 7.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void theme_and_time_zone_are_remembered() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household
                .tab(browser, WIDE)
                .go("/account")
                .choose("theme", "dark")
                .choose("zone", "Asia/Tokyo");
        tab.until("getComputedStyle(document.documentElement).colorScheme === 'dark'");

        tab.go("/requests").sees("Proposed");
        assertThat(tab.is("getComputedStyle(document.documentElement).colorScheme === 'dark'"))
                .isTrue();
        assertThat(tab.is(
                        "(([, time]) => time === new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })"
                                + ".format(new Date(document.querySelector('.facts time').dateTime)) + ' GMT+9')"
                                + "(document.querySelector('.facts time').textContent.split(', '))"))
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void everything_is_exported_and_the_account_deleted() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/account").sees("Your data");
        String export = tab.evaluate(
                        "fetch(document.querySelector('a[download]').href).then((answer) => answer.text())")
                .asString();
        assertThat(export)
                .contains(household.email(), "\"ipsVersions\"", "\"events\"")
                .doesNotContain("svc_live_");

        tab.click("Delete my account…")
                .fill("confirm-password", "not this password")
                .click("Delete account");
        tab.sees("Enter the password that you sign in with.");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("confirm-password", PASSWORD).click("Delete account").sees("Your agents propose. You decide.");
        tab.fill("email", household.email()).fill("password", PASSWORD).click("Sign in");
        tab.until("document.querySelector('[role=alert]')");
        assertThatThrownBy(() -> household.agent().get("/whoami")).hasMessageContaining("401");
    }

    @Test
    void the_page_fits_a_phone() {
        Tab tab = household().tab(browser, NARROW).go("/account").sees("This one");
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        tab.send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        assertThat(Axe.violations(tab)).isEmpty();
    }
}
