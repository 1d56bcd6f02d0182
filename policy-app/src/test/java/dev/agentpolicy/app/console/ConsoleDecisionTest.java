package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a person is reached and decides: verdict, facts, keys, many at once, the stop button and approvals. */
class ConsoleDecisionTest extends ConsoleBench {
    private static final String SELL_SPY =
            "{\"action\":\"sell\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1000}";
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
            tab.go(path).until("document.querySelector('[data-do=accept]')");
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
        tab.until("document.querySelector('[data-do=accept]')").press("a");
        tab.until("document.activeElement.dataset.do === 'accept'").press("r");
        tab.until("document.activeElement.dataset.do === 'reject'").press("a").press("Enter");
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
        tab.fill("reject-reason", "Not this week").click("Reject 4 requests").sees("Nothing waits for you.");

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
            household.agent().propose(SELL_SPY);
            long begun = System.nanoTime();
            String title = "document.title.startsWith('(" + count + ") ')";
            second.until(title);
            first.until(title);
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }
        System.out.printf("a proposal is in the titles of two tabs after %d ms%n", fastest / 1_000_000);
        assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofSeconds(1));
        assertThat(second.is("document.querySelector('link[rel=icon]').href.startsWith('data:image/svg+xml')"))
                .isTrue();
        household.app().call("POST", "/requests/reject", "{}");
        second.until("document.title === 'Portfolio · Agent Policy'");
    }

    @Test
    void one_press_stops_all_agents_on_every_page_and_one_lets_them_go_on() {
        ConsoleHousehold household = household();
        Tab tab = household
                .tab(browser, WIDE)
                .go("/usage")
                .click("Pause all agents")
                .sees("All agents are paused.");
        assertThat(household.agent().call("POST", "/policy/validate", SELL_SPY).toString())
                .contains("All agents are paused.");
        tab.go("/requests").sees("Every trade they ask for is blocked until you resume.");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Resume").until("!document.body.innerText.includes('All agents are paused.')");
        assertThat(household
                        .agent()
                        .call("POST", "/policy/validate", SELL_SPY)
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_trade_that_only_a_rule_of_the_user_blocks_can_be_allowed() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").click("Add a standing rule");
        tab.fill("rule-id", "large").choose("rule-effect", "require_approval").fill("rule-above", "2,000");
        tab.click("Add the rule")
                .click("Review changes")
                .click("Save as version 2")
                .sees("Version 2, since");
        household.agent().call("POST", "/trades/propose", BUY_BTC);

        tab.go("/requests").sees("Blocked, you may allow it").click("Allow… Buy 5,000 USD of BTC");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("Allow it").until("!document.body.innerText.includes('Blocked, you may allow it')");
        household.agent().propose(BUY_BTC);
        tab.sees("1 request waits for your decision.").sees("Within policy.");

        tab.go("/policy").sees("Buy up to 5,000 USD of BTC, by Rebalancer").click("End now");
        tab.until("!document.body.innerText.includes('Buy up to 5,000 USD of BTC')");
        assertThat(household.app().get("/ips").get("approvals")).isEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

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
        tab.click("Resume Rebalancer").click("Change the key of Rebalancer");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.fill("key-usd", "2,5").click("Save changes").sees("a point before decimals");
        tab.fill("key-usd", "12,500")
                .fill("key-networks", "127.0.0.1, 10.0.0.0/8")
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
    void home_says_how_the_account_stands_and_what_to_do_next() {
        ConsoleHousehold household = household();
        household
                .agent()
                .call(
                        "POST",
                        "/policy/validate",
                        "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":90000}");
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/").sees("1 request waits for your decision.");

        assertThat(tab.text("#main")).contains("100,000 USD", "Buy 5,000 USD of BTC", "Not enough cash");
        assertThat(tab.text("[data-limit=crypto_max_allocation]")).contains("20%", "35%", "15 points");
        assertThat(tab.text("[data-blocked-count]")).isEqualTo("1");
        tab.click("Decide").sees("Within policy.");

        Tab stranger = browser.open(service.address(), WIDE).go("/").click("Create an account");
        stranger.fill("email", "empty@example.org")
                .fill("password", ConsoleHousehold.PASSWORD)
                .click("Create account")
                .sees("Begin with a template");
        stranger.go("/").sees("this is missing: a policy, your holdings, a key for an agent.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_activity_is_searched_filtered_and_scrolled_and_its_address_can_be_kept() {
        ConsoleHousehold household = household();
        for (int i = 1; i <= 60; i++) {
            household.agent().call("POST", "/policy/validate", SELL_SPY.replace("1000", Integer.toString(i)));
        }
        Tab tab = household
                .tab(browser, WIDE)
                .go("/activity")
                .until("document.querySelectorAll('.feed > li').length >= 50");
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
        tab.until("document.querySelectorAll('.feed > li').length >= 62").sees("That is all.");

        tab.fill("by-text", "sell SPY for $42").until("document.querySelectorAll('.feed > li').length === 1");
        assertThat(tab.evaluate("location.search").asString()).contains("text=sell+SPY");
        tab.evaluate("document.querySelector('.feed summary').click()");
        tab.click("Check this event in the chain").sees("has this hash.");
        tab.go("/activity?kinds=key.minted%2Ckey.rotated%2Ckey.revoked")
                .until("document.querySelectorAll('.feed > li').length === 1");
        assertThat(tab.text(".feed")).contains("You minted the key Rebalancer.");
        String csv = tab.evaluate("fetch(document.querySelector('a[download]').href).then((answer) => answer.text())")
                .asString();
        assertThat(csv.lines()).hasSize(2);
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
                                + ".format(new Date(document.querySelector('.facts time').dateTime)))"
                                + "(document.querySelector('.facts time').textContent.split(', '))"))
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_band_has_one_slider_whose_three_handles_cannot_pass_each_other() {
        Tab tab = household().tab(browser, WIDE).go("/policy").sees("Version 1");
        String handle = "document.querySelector('[role=slider][aria-label=\"Crypto %s\"]')";
        tab.until(handle.formatted("target"));
        tab.evaluate(handle.formatted("target") + ".focus()");
        tab.press("ArrowRight").until("document.getElementById('crypto-target').value === '21'");
        tab.press("End")
                .until(
                        "document.getElementById('crypto-target').value === document.getElementById('crypto-max').value");
        assertThat(tab.evaluate(handle.formatted("minimum") + ".ariaValueMax").asString())
                .isEqualTo("35");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_browser_at_a_path_with_nothing_gets_a_page_and_a_program_gets_json() {
        Tab tab = browser.open(service.address(), WIDE);
        tab.send("Page.navigate", Map.of("url", service.address() + "/nonsense"));
        tab.sees("There is nothing here");
        assertThat(tab.evaluate("fetch('/nonsense').then((answer) => answer.json()).then((body) => body.error)")
                        .asString())
                .isEqualTo("not_found");
        tab.click("Go to the console").sees("Sign in");
    }
}
