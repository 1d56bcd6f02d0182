package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An owner who lets an adviser look, and the console as the adviser sees it. */
class ConsoleViewersTest extends ConsoleBench {
    private static final int PHONE = 390;

    /** The pages that a viewer has, with what each says once it is there. */
    private static final Map<String, String> PAGES = Map.of(
            "/", "Headroom",
            "/requests", "Crypto is under its target.",
            "/policy", "In force",
            "/portfolio", "Holdings",
            "/activity", "End of the log",
            "/reconciliation", "What you accepted",
            "/proof", "The chain holds",
            "/usage", "Last calls");

    /** What can be pressed and changes nothing at the service. */
    private static final Set<String> HARMLESS = Set.of(
            "Menu", "Sign out", "Verify again", "Download the chain", "Download the keys", "Trust this root key");

    private static final String PRESSED = """
            JSON.stringify([...document.querySelectorAll('button:not([data-row])')].filter((each) => each.checkVisibility())
              .map((each) => each.innerText.trim()))""";

    /** Calls that the service refused since the page was opened. */
    private static final String REFUSED = """
            JSON.stringify(performance.getEntriesByType('resource').filter((each) => each.responseStatus >= 400)
              .map((each) => each.responseStatus + ' ' + new URL(each.name).pathname))""";

    @Test
    void an_adviser_looks_at_every_page_and_finds_nothing_to_change() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/trades/propose", ConsoleHousehold.BUY_BTC);
        String address = made(household);
        for (int width : new int[] {WIDE, PHONE}) {
            Tab tab = browser.open(household.address(), width, browser.context());
            tab.follow(address.substring(household.address().length())).sees("You can change nothing there.");
            assertThat(Axe.violations(tab)).isEmpty();
            tab.click("Look at the account").sees("Headroom");
            assertThat(tab.text("[data-viewing]")).startsWith("Adviser, looking on until");
            List<String> found = new ArrayList<>();
            PAGES.forEach((path, says) -> {
                tab.go(path).sees(says);
                found.addAll(List.of(listed(tab, PRESSED)));
                assertThat(listed(tab, REFUSED)).describedAs(path).isEmpty();
                assertThat(Axe.violations(tab)).describedAs(path).isEmpty();
                assertThat(tab.is("document.documentElement.scrollWidth > innerWidth"))
                        .describedAs(path)
                        .isFalse();
            });
            assertThat(found).allMatch(it -> HARMLESS.contains(it) || it.startsWith("Buy 5,000 USD of BTC"));
            tab.go("/agents").sees("There is no such page");
            tab.go("/account").sees("There is no such page");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void a_revoked_viewer_is_shown_out_at_the_next_call() {
        ConsoleHousehold household = household();
        String address = made(household);
        Tab adviser = browser.open(household.address(), PHONE, browser.context());
        adviser.follow(address.substring(household.address().length()))
                .click("Look at the account")
                .sees("Headroom");

        Tab owner = household.tab(browser, PHONE).go("/account").sees("A viewer");
        owner.click("Revoke Adviser").until("!document.querySelector('[data-viewer]')");
        assertThat(owner.complaints()).isEmpty();

        adviser.go("/policy").sees("Sign in");
        adviser.follow(address.substring(household.address().length()))
                .click("Look at the account")
                .sees("Ask whoever gave you the address.");
    }

    /** The address that the owner makes on a phone and sees once. */
    private String made(ConsoleHousehold household) {
        Tab owner = household.tab(browser, PHONE).go("/account").sees("Viewers");
        owner.until("document.getElementById('viewer-name')");
        owner.fill("viewer-name", "Adviser").choose("viewer-days", "30").click("Create an address");
        owner.sees("This is the only time the address is shown.");
        assertThat(Axe.violations(owner)).isEmpty();
        assertThat(owner.is("document.documentElement.scrollWidth > innerWidth"))
                .isFalse();
        String address = owner.text(".copyable code");
        owner.click("I have sent the address").until("document.querySelector('[data-viewer]')");
        assertThat(owner.complaints()).isEmpty();
        return address;
    }

    private static String[] listed(Tab tab, String script) {
        String array = tab.evaluate(script).asString();
        return array.equals("[]")
                ? new String[0]
                : array.substring(2, array.length() - 2).split("\",\"");
    }
}
