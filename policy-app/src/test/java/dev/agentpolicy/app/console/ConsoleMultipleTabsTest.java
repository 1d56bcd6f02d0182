package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What happens in one tab while something else is done in another. */
class ConsoleMultipleTabsTest extends ConsoleBench {
    @Test
    void a_tab_stops_when_another_user_signs_in_in_another_tab() {
        ConsoleHousehold first = household();
        ConsoleHousehold second = household();
        String context = browser.context();
        Tab tab = first.tab(browser, WIDE, context).go("/policy").fill("crypto-max", "31");
        Tab other = browser.open(service.address(), WIDE, context).go("/").click("Sign out");
        tab.sees("Your agents propose. You decide.");
        assertThat(tab.is("sessionStorage.length")).isFalse();

        other.fill("email", second.email())
                .fill("password", PASSWORD)
                .click("Sign in")
                .sees("Nothing is waiting");
        tab.go("/policy").sees(second.email());
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_policy_changed_in_another_tab_is_not_overwritten_without_warning() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").fill("crypto-max", "31");
        tab.click("Review changes").sees("Save as version 2");
        household.capCrypto("0.3");

        tab.click("Save as version 2")
                .sees("The policy was changed elsewhere. Version 2 of the policy is in force by now.");
        tab.sees("Save as version 3");
        assertThat(tab.text(".diff")).contains("Crypto maximum\t30%\t31%");
        tab.click("Save as version 3").sees("Version 3, since");
    }
}
