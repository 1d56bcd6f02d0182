package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A person with a passkey, which the browser's virtual authenticator holds (docs/reference/passkeys.md). */
class ConsolePasskeyTest extends ConsoleBench {
    @Test
    void a_person_registers_a_passkey_signs_an_acceptance_and_signs_in_with_it() {
        ConsoleHousehold household = ConsoleHousehold.at(atLocalhost());
        long request = household.agent().propose(ConsoleHousehold.BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/account").sees("Add a passkey");
        tab.addAuthenticator();

        tab.fill("passkey-name", "Phone").click("Add a passkey").sees("never used");
        tab.fill("passkey-above", "0").click("Save the amount").sees("Now it is demanded above 0 USD.");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.go("/requests").sees("The agent says").click("Accept: Buy 5,000 USD of BTC");
        tab.sees("Nothing waits for you.");
        tab.go("/proof").sees("You signed 1 acceptance with a passkey: request " + request + ".");

        tab.click("Sign out").sees("Your agents propose. You decide.").click("Use a passkey");
        tab.sees("Room to every limit").go("/account").sees(household.email()).sees("last used");

        tab.fill("passkey-above", "2,000").click("Save the amount").sees("Demand less?");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("confirm-password", "not this password")
                .click("Save the amount")
                .sees("Enter the password that you sign in with, or use a passkey.");
        tab.click("Confirm with a passkey").sees("Now it is demanded above 2,000 USD.");
        tab.click("Remove Phone")
                .sees("nothing above 2,000 USD can be accepted")
                .fill("confirm-password", ConsoleHousehold.PASSWORD)
                .click("Remove passkey");
        tab.until("!document.querySelector('[data-passkey]')").sees("Now it is demanded above 2,000 USD.");

        tab.fill("passkey-above", "").click("Save the amount").sees("Demand less?");
        tab.fill("confirm-password", ConsoleHousehold.PASSWORD).click("Save the amount");
        tab.until("!document.getElementById('passkey-above')");
        assertThat(tab.complaints()).isEmpty();
    }
}
