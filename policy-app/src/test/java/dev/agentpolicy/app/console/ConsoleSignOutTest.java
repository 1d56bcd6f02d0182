package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Signing out removes what the console has stored. */
class ConsoleSignOutTest extends ConsoleBench {
    @Test
    void a_failed_sign_out_is_reported() {
        Tab tab = household().tab(browser, WIDE).go("/requests").sees("Nothing is waiting");
        tab.offline(true);
        tab.click("Sign out").sees("You are still signed in. The service could not be reached.");
        assertThat(tab.is("document.querySelector('.side [role=alert]')")).isTrue();

        tab.offline(false);
        tab.click("Sign out").sees("Your agents propose. You decide.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_page_to_sign_in_has_its_title_and_the_focus() {
        Tab tab = household().tab(browser, WIDE).go("/policy").sees("Version 1");
        tab.click("Sign out").sees("Your agents propose. You decide.");
        tab.until("document.activeElement === document.querySelector('main h1')");
        assertThat(tab.text("main h1")).isEqualTo("Sign in");
        assertThat(tab.evaluate("document.title").asString()).isEqualTo("Sign in · Agent Policy");
        tab.until("document.getElementById('live').textContent === 'You are signed out.'");

        tab.click("Create an account").sees("Create your account");
        tab.until("document.title === 'Create your account · Agent Policy'");
        assertThat(tab.complaints()).isEmpty();
    }
}
