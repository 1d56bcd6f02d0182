package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A person who wants to be asked before agents may do more, and has looser policies wait. */
class ConsoleChangesTest extends ConsoleBench {
    @Test
    void a_looser_policy_is_confirmed_waits_and_is_cancelled() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/account").sees("Changes that let agents do more");
        tab.until("document.getElementById('confirm-changes')");
        tab.evaluate("document.getElementById('confirm-changes').click()");
        tab.choose("loosening-delay", "24").click("Save what changes need");
        tab.awaits(() -> household.app().get("/me").has("confirmChanges"));
        assertThat(Axe.violations(tab)).isEmpty();

        tab.go("/policy").fill("crypto-max", "40").click("Review changes").click("Save as version 2");
        tab.sees("This lets agents do more than they may now.");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("confirm-password", "not this password")
                .click("Confirm")
                .sees("Enter the password that you sign in with, or use a passkey.");
        tab.fill("confirm-password", ConsoleHousehold.PASSWORD).click("Confirm");
        tab.sees("A looser policy comes into force").sees("Version 1, since");
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(household
                        .app()
                        .get("/ips")
                        .get("scheduled")
                        .get("document")
                        .get("crypto")
                        .get("max")
                        .asString())
                .isEqualTo("0.4");

        tab.click("Cancel the policy that waits").until("!document.querySelector('[data-scheduled]')");
        assertThat(household.app().get("/ips").has("scheduled")).isFalse();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void whoever_does_not_confirm_changes_nothing_and_the_question_ends_with_a_confirmation_alone() {
        ConsoleHousehold household = household();
        household.app().call("POST", "/pause", "{}");
        household.app().call("PUT", "/me/attestation", "{\"confirmChanges\":true}");
        Tab tab = household.tab(browser, NARROW).go("/policy").click("Resume");
        tab.sees("Is it you?").click("Cancel").sees("Confirm this with your password or with one of your passkeys.");
        assertThat(household.app().get("/ips").get("paused").asBoolean()).isTrue();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();

        tab.click("Resume").fill("confirm-password", ConsoleHousehold.PASSWORD).click("Confirm");
        tab.until("!document.querySelector('.paused-banner')");
        tab.go("/account").sees("Changes that let agents do more");
        tab.until("document.getElementById('confirm-changes')");
        tab.evaluate("document.getElementById('confirm-changes').click()");
        tab.click("Save what changes need").sees("Ask for less?");
        tab.fill("confirm-password", ConsoleHousehold.PASSWORD).click("Save");
        tab.awaits(() -> !household.app().get("/me").has("confirmChanges"));
    }
}
