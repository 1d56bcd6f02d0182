package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What people do with the keys of their agents. */
class ConsoleKeysTest extends ConsoleBench {
    @Test
    void a_key_is_paused_changed_and_rotated_with_an_overlap() {
        ConsoleHousehold household = household();
        Tab tab = household
                .tab(browser, WIDE)
                .go("/agents")
                .click("Pause Rebalancer")
                .sees("Paused");
        assertThat(household.agent().call("POST", "/policy/validate", SELL_SPY).toString())
                .contains("This key is paused.");
        tab.click("Resume Rebalancer").until("!document.querySelector('.badge.bad')");
        tab.click("Change the key of Rebalancer").sees("Save changes").click("Mint a key");
        assertThat(Axe.violations(tab)).isEmpty();
        String usd = household.keyField("Rebalancer", "usd");
        tab.fill("key-name", "Second").fill(usd, "2,5").click("Save changes");
        tab.sees("a point before decimals").until("document.activeElement.id === " + Tab.quoted(usd));
        tab.fill(usd, "12,500")
                .fill(household.keyField("Rebalancer", "networks"), "127.0.0.1, 10.0.0.0/8")
                .click("Save changes");
        tab.sees("of 12,500 USD").sees("127.0.0.1/32, 10.0.0.0/8");

        tab.click("Rotate the key of Rebalancer")
                .choose("overlap", "60")
                .click("Rotate key")
                .sees("This is the only time");
        assertThat(household.agent().get("/whoami").get("scopes")).isNotEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_page_of_an_agent_says_what_became_of_its_proposals_and_what_stopped_it() {
        ConsoleHousehold household = household();
        long accepted = household.agent().propose(SELL_SPY);
        long rejected = household.agent().propose(SELL_SPY);
        household.agent().propose(SELL_SPY);
        household.app().call("POST", "/requests/" + accepted + "/accept", "{}");
        household.app().call("POST", "/requests/" + rejected + "/reject", "{}");
        household.agent().call("POST", "/trades/propose", BUY_BTC.replace("5000", "25000"));
        Tab tab = household.tab(browser, WIDE).go("/agents").click("Agent Rebalancer");

        tab.sees("Its log").sees("1 of 2 decided").sees("Above the crypto maximum");
        assertThat(tab.text(".tiles"))
                .containsSubsequence("Proposals", "4", "Accepted", "50%", "Waiting for you", "1", "Blocked", "1");
        assertThat(tab.text("[data-proposals]"))
                .containsSubsequence("Blocked", "Waiting for you", "Rejected", "Completed");
        assertThat(tab.text(".feed")).contains("Rebalancer asked to sell SPY for $1,000: allowed, request");
        tab.click("Connect it again").sees("Authorization: Bearer YOUR_KEY");
        tab.resize(NARROW);
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        assertThat(tab.complaints()).isEmpty();
    }
}
