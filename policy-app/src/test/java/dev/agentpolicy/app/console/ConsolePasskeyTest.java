package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A person with a passkey, which the browser's virtual authenticator holds (docs/reference/passkeys.md). */
class ConsolePasskeyTest extends ConsoleBench {
    @Test
    void the_address_that_is_printed_can_have_passkeys_and_one_of_numbers_says_why_it_cannot() {
        String printed = service.address();
        assertThat(printed).startsWith("http://localhost:");
        ConsoleHousehold household = ConsoleHousehold.at(printed);
        for (String host : List.of("127.0.0.1", "[::1]")) {
            String address = printed.replace("localhost", host);
            Tab stranger = browser.open(address, NARROW).go("/sign-in");
            stranger.sees("Passkeys need a name, not an address: open " + printed + ".");
            assertThat(stranger.text("form")).doesNotContain("Use a passkey");
            assertThat(Axe.violations(stranger)).isEmpty();

            stranger.fill("email", household.email()).fill("password", ConsoleHousehold.PASSWORD);
            stranger.click("Sign in").sees("Headroom").go("/account");
            stranger.sees("Passkeys need a name, not an address: open " + printed + ".");
            assertThat(stranger.is("document.getElementById('passkey-name')")).isFalse();
        }
        Tab tab = browser.open(printed, NARROW).go("/sign-in").sees("Use a passkey");
        assertThat(tab.is("document.querySelector('[data-no-passkeys]')")).isFalse();
    }

    @Test
    void a_browser_without_passkeys_and_a_page_without_https_say_so() {
        Tab tab = browser.open(service.address(), WIDE);
        tab.send(
                "Page.addScriptToEvaluateOnNewDocument",
                Map.of("source", "if (location.search === '') delete globalThis.PublicKeyCredential;"));
        tab.go("/sign-in").sees("This browser has no passkeys: open this service in another one, or update it.");
        tab.evaluate("Object.defineProperty(globalThis, 'isSecureContext', { value: false, configurable: true }), 0");
        tab.click("Forgot your password?").click("Back");
        tab.sees("Passkeys need https: open this service at an address that begins with https://.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            NotAllowedError   | 300000 | No passkey was used: you cancelled, or the browser found none that it may use.
            NotAllowedError   | 0      | No passkey was used in time.
            AbortError        | 300000 | The question for a passkey was cancelled.
            InvalidStateError | 300000 | This device has a passkey of this account already.
            NotSupportedError | 300000 | This device cannot make a passkey.
            SecurityError     | 300000 | This is not the address at which the service takes passkeys.
            DataError         | 300000 | The browser could not use a passkey: why
            """)
    void a_passkey_that_was_not_made_says_why(String name, int timeout, String words) {
        Tab tab = ConsoleHousehold.at(service.address())
                .tab(browser, WIDE)
                .go("/account")
                .sees("Add a passkey");
        tab.evaluate(
                "navigator.credentials.create = async () => { throw new DOMException('why', '" + name + "'); }, 0");
        tab.evaluate("""
                {
                  const real = globalThis.fetch;
                  globalThis.fetch = async (path, options) => {
                    const answer = await real(path, options);
                    if (!path.endsWith('/passkeys/options')) return answer;
                    return new Response(JSON.stringify({ ...await answer.json(), timeout: %d }), { status: 200 });
                  };
                }
                0""".formatted(timeout));

        tab.fill("passkey-name", "Phone").click("Add a passkey").sees(words);
    }

    @Test
    void a_person_registers_a_passkey_signs_an_acceptance_and_signs_in_with_it() {
        ConsoleHousehold household = ConsoleHousehold.at(service.address());
        long request = household.agent().propose(ConsoleHousehold.BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/account").sees("Add a passkey");
        tab.addAuthenticator();

        tab.fill("passkey-name", "Phone").click("Add a passkey").sees("never used");
        tab.fill("passkey-above", "0").click("Save the amount").sees("Now one is required above 0 USD.");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.go("/requests").sees("The agent says").sees("Accepting asks for your passkey.");
        tab.click("Accept: Buy 5,000 USD of BTC");
        tab.sees("Nothing is waiting for you.");
        tab.go("/proof").sees("You signed 1 acceptance with a passkey: request " + request + ".");

        tab.click("Sign out").sees("Your agents propose. You decide.").click("Use a passkey");
        tab.sees("Headroom").go("/account").sees(household.email()).sees("last used");

        tab.fill("passkey-above", "2,000").click("Save the amount").sees("Require it less often?");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("confirm-password", "not this password")
                .click("Save the amount")
                .sees("Enter the password that you sign in with, or use a passkey.");
        tab.click("Confirm with a passkey").sees("Now one is required above 2,000 USD.");
        tab.click("Remove Phone")
                .sees("nothing above 2,000 USD can be accepted")
                .fill("confirm-password", ConsoleHousehold.PASSWORD)
                .click("Remove passkey");
        tab.until("!document.querySelector('[data-passkey]')").sees("Now one is required above 2,000 USD.");

        tab.fill("passkey-above", "").click("Save the amount").sees("Require it less often?");
        tab.fill("confirm-password", ConsoleHousehold.PASSWORD).click("Save the amount");
        tab.until("!document.getElementById('passkey-above')");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_person_signs_a_change_of_the_policy_and_the_history_says_who_confirmed_it() {
        ConsoleHousehold household = ConsoleHousehold.at(service.address());
        Tab tab = household.tab(browser, NARROW).go("/account").sees("Add a passkey");
        tab.addAuthenticator();
        tab.fill("passkey-name", "Phone").click("Add a passkey").sees("before anything lets agents do more?");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("Ask first").until("document.getElementById('confirm-changes')?.checked");
        assertThat(household.app().get("/me").get("confirmChanges").asBoolean()).isTrue();
        assertThat(tab.is("document.querySelector('[data-offer]')")).isFalse();

        tab.go("/policy").fill("crypto-max", "40").click("Review changes").sees("there is nothing to compare");
        tab.sees("Agents may do more.").click("Save as version 2");
        tab.sees("This lets agents do more than they may now.").click("Confirm with a passkey");
        tab.sees("Version 2, since").sees("confirmed with passkey Phone");
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        tab.go("/proof").sees("You signed 1 version of your policy with a passkey: 2.");

        tab.go("/account").click("Remove Phone").fill("confirm-password", ConsoleHousehold.PASSWORD);
        tab.click("Remove passkey").until("!document.querySelector('[data-passkey]')");
        tab.go("/policy").sees("confirmed with a passkey that was removed since");
        assertThat(tab.complaints()).isEmpty();
    }
}
