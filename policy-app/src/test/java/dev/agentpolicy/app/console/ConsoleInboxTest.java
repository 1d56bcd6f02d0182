package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What needs the user, in one list, and the menu that leads there. */
class ConsoleInboxTest extends ConsoleBench {
    private static final String ITEMS = "document.querySelectorAll('[data-inbox]').length";

    @Test
    void everything_that_needs_the_user_stands_in_one_list_and_leaves_it_by_being_dealt_with() {
        ConsoleHousehold household = withMoreCrypto();
        Tab tab = household.tab(browser, WIDE).go("/inbox").sees("Nothing is waiting for you.");

        household.agent().propose(SELL_SPY);
        tab.sees("1 thing needs you.").sees("Rebalancer asks to sell SPY for $1,000.");
        tab.until("document.title === '(1) Inbox · Agent Policy'");
        household.capCrypto("0.24");
        tab.sees("2 things need you.").sees("Crypto is 25% of the portfolio; your policy wants at most 24%.");
        assertThat(tab.text("nav .count")).startsWith("2");

        tab.click("Done with: Crypto is 25% of the portfolio; your policy wants at most 24%.")
                .sees("1 thing needs you.");
        assertThat(tab.evaluate(ITEMS).asInt()).isOne();
        tab.click("Decide: sell SPY for $1,000").sees("The agent gave no reason.");
        household.app().call("POST", "/requests/reject", "{}");
        tab.click("Inbox").sees("Nothing is waiting for you.").until("document.title === 'Inbox · Agent Policy'");
        tab.click("All requests").sees("Resolved");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void home_begins_with_the_gravest_item() {
        ConsoleHousehold household = withMoreCrypto();
        household.agent().propose(SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/").sees("Rebalancer asks to sell SPY for $1,000.");
        household.capCrypto("0.24");

        tab.sees("Crypto is 25% of the portfolio; your policy wants at most 24%. 1 more in your inbox");

        tab.click("1 more in your inbox").sees("2 things need you.");
    }

    @Test
    void on_a_phone_the_main_pages_are_at_the_foot_and_the_records_in_the_menu() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, NARROW).go("/inbox").sees("1 thing needs you.");
        assertThat(tab.text(".bottom"))
                .containsSubsequence("Home", "Inbox", "1", "Policy", "Portfolio", "Agents", "Activity");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Portfolio")
                .sees("Over time")
                .until("document.querySelector('.bottom [aria-current=page]')?.innerText === 'Portfolio'");
        tab.click("Menu").sees("Records").click("Proof").sees("The chain holds");
        tab.click("Menu").click(household.email() + ": your account").sees("Time zone");

        tab.go("/requests").sees("Within policy.");
        assertThat(tab.is("document.querySelector('.decide').getBoundingClientRect().bottom"
                        + " <= document.querySelector('.bottom').getBoundingClientRect().top + 1"))
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    /** Somebody with a quarter in crypto. */
    private ConsoleHousehold withMoreCrypto() {
        ConsoleHousehold household = household();
        long request = household.agent().propose(BUY_BTC);
        household.app().call("POST", "/requests/" + request + "/accept", "{}");
        return household;
    }
}
