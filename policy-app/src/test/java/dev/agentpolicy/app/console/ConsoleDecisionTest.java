package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a person is reached and decides: verdict, facts, keys of the keyboard, and many requests at once. */
class ConsoleDecisionTest extends ConsoleBench {
    private static final int PHONE = 360;
    private static final int PHONE_HEIGHT = 640;

    /** Whether all of an element lies in the first screen, before anything is scrolled. */
    private static final String IN_FIRST_SCREEN = """
            ((e) => { const r = e?.getBoundingClientRect();
              return r && scrollY === 0 && r.height > 0 && r.top >= 0 && r.bottom <= innerHeight && r.left >= 0 && r.right <= innerWidth; })""";

    @Test
    void on_a_phone_verdict_amount_tightest_limit_and_accept_are_in_the_first_screen() {
        ConsoleHousehold household = household();
        long id = household.agent().propose(BUY_BTC);
        for (String path : new String[] {"/requests", "/requests/" + id}) {
            Tab tab = household.tab(browser, PHONE);
            tab.resize(PHONE, PHONE_HEIGHT);
            tab.go(path).until("document.querySelector('[data-do=accept]:not([aria-disabled])')");
            for (String part : new String[] {
                "[data-verdict]", "[data-tightest]", "article.request h2", "[data-do=accept]", "[data-do=reject]"
            }) {
                tab.until(IN_FIRST_SCREEN + "(document.querySelector('" + part + "'))");
            }
            assertThat(tab.text("[data-verdict]")).startsWith("Within policy. Tightest: ");
            assertThat(tab.is("document.documentElement.scrollWidth > innerWidth"))
                    .isFalse();
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void the_card_has_the_facts_first_and_the_words_of_the_agent_last_and_not_larger() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");

        assertThat(tab.text("article.request"))
                .containsSubsequence(
                        "Buy 5,000 USD of BTC",
                        "Within policy.",
                        "about 0.0625 BTC at 80,000 USD",
                        "5% of the portfolio",
                        "20,000 USD → 24,975 USD",
                        "Paper",
                        "The agent says (nobody checked this)",
                        "Crypto is under its target.",
                        "Accept");
        assertThat(tab.is("parseFloat(getComputedStyle(document.querySelector('.rationale')).fontSize)"
                        + " <= parseFloat(getComputedStyle(document.querySelector('.facts')).fontSize)"))
                .isTrue();
    }

    @Test
    void a_policy_that_changes_while_the_card_is_open_changes_its_verdict() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");

        household.capCrypto("0.22");
        tab.sees("Would be blocked now: above the crypto maximum.");
        assertThat(tab.is("document.querySelector('[data-do=accept]').classList.contains('primary')"))
                .isFalse();
        household.capCrypto("0.35");
        tab.sees("Within policy.").click("Accept: Buy 5,000 USD of BTC").sees("Completed.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void what_is_accepted_is_what_was_shown() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");
        // The page does not learn of the change before the person presses.
        tab.evaluate(
                "(window.fetch = ((real) => (path, options) => options?.method === 'GET' && path.includes('/requests/')"
                        + " ? new Promise(() => {}) : real(path, options))(window.fetch), 0)");
        household
                .app()
                .call(
                        "PUT",
                        "/custodians/paper-2",
                        "{\"name\":\"More\",\"kind\":\"paper\",\"cash\":\"5\",\"positions\":[]}");

        tab.click("Accept: Buy 5,000 USD of BTC").sees("Not accepted: something changed since this was shown.");
    }

    @Test
    void requests_that_do_not_fit_together_say_so() {
        ConsoleHousehold household = household();
        household.capCrypto("0.3");
        for (int i = 0; i < 3; i++) {
            household.agent().propose(BUY_BTC);
        }
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("3 requests wait for your decision.");

        tab.sees("Not everything that waits fits.");
    }

    @Test
    void keys_move_through_the_list_and_reach_the_buttons() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.agent().propose(SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("2 requests wait for your decision.");
        tab.sees("Within policy.");

        tab.press("j")
                .until(
                        "document.querySelector('article.request:not(.line) h2').textContent === 'Sell 1,000 USD of SPY'");
        tab.press("k")
                .until(
                        "document.querySelector('article.request:not(.line) h2').textContent === 'Buy 5,000 USD of BTC'");
        tab.until("document.querySelector('[data-do=accept]:not([aria-disabled])')")
                .press("a");
        tab.until("document.activeElement.dataset.do === 'accept'").press("r");
        tab.until("document.activeElement.dataset.do === 'reject'").press("a").press("Enter");

        tab.until("document.activeElement.textContent === 'Sell 1,000 USD of SPY'");
        assertThat(tab.is("document.querySelector('[data-do=accept]').ariaDisabled === 'true'"))
                .as("a second press is not for the next request")
                .isTrue();
        tab.until("document.querySelector('[data-row]').innerText.includes('Completed')");
        assertThat(tab.evaluate("document.querySelectorAll('[data-row]')[1].innerText")
                        .asString())
                .contains("Within policy", "1% of the portfolio");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.until("document.querySelector('[data-do=accept]').ariaDisabled !== 'true'");
        tab.evaluate("document.querySelector('[data-row]').click()");
        tab.sees("Bought 0.0625 BTC");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void several_requests_are_rejected_at_once() {
        ConsoleHousehold household = household();
        for (int i = 0; i < 4; i++) {
            household.agent().propose(SELL_SPY);
        }
        Tab tab = household.tab(browser, WIDE).go("/requests").click("Reject several…");
        tab.fill("reject-reason", "Not this week").click("Reject 4 requests").sees("Nothing is waiting for you.");

        assertThat(household.app().get("/requests?status=rejected").get("requests"))
                .hasSize(4);
        assertThat(household.agent().get("/audit").get(0).get("reason").asString())
                .contains("Not this week");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_proposal_is_counted_in_the_title_and_the_icon_of_another_tab_within_a_second() {
        ConsoleHousehold household = household();
        String context = browser.context();
        Tab first = household.tab(browser, WIDE, context).go("/policy").sees("Version 1");
        Tab second =
                browser.open(service.address(), WIDE, context).go("/portfolio").sees("Allocation");
        first.until("document.title === 'Policy · Agent Policy'");
        long fastest = Long.MAX_VALUE;
        for (int count = 1; count <= 5; count++) {
            long begun = System.nanoTime();
            household.agent().propose(SELL_SPY);
            String title = "document.title.startsWith('(" + count + ") ')";
            second.until(title);
            first.until(title);
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }
        assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofSeconds(1));
        assertThat(second.is("document.querySelector('link[rel=icon]').href.startsWith('data:image/svg+xml')"))
                .isTrue();
        household.app().call("POST", "/requests/reject", "{}");
        second.until("document.title === 'Portfolio · Agent Policy'");
    }
}
