package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What people do with their policy: bands, standing rules with approvals, and the button that stops all agents. */
class ConsolePolicyTest extends ConsoleBench {
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
        assertThat(tab.evaluate("""
                        ((handle, picture) => Math.abs((handle.left + handle.right) / 2 - picture.right))
                        (%s.getBoundingClientRect(), document.querySelector('.sticky-picture .crypto .allowed').getBoundingClientRect())""".formatted(handle.formatted("maximum"))).asDouble())
                .as("pixels between the slider and the picture at the same percentage")
                .isLessThan(1);
        tab.click("Limits").until("document.activeElement.id === 'section-limits'");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void what_a_change_permits_is_said_with_a_trade_while_editing_and_in_the_history() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").fill("crypto-max", "40");
        tab.until("document.querySelector('form [data-relation=looser]')");
        assertThat(tab.text("form [data-shows=looser]"))
                .matches("(?s)A buy of [\\d,.]+ USD of [A-Z]+ would now be allowed, in a portfolio of [\\d,.]+ USD"
                        + " with [^.]*\\d+(\\.\\d+)?% .*");
        tab.fill("crypto-max", "30").until("document.querySelector('form [data-relation=tighter]')");
        assertThat(tab.text("form [data-shows=tighter]")).contains("would now be blocked");
        tab.fill("cashFloor", "1").until("document.querySelector('form [data-relation=mixed]')");
        tab.fill("crypto-max", "200").until("!document.querySelector('[data-relation]')");
        tab.fill("crypto-max", "30").click("Review changes");
        tab.until("document.querySelector('#review ~ [data-relation=mixed]')");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Save as version 2").sees("Version 2, since").until("!document.querySelector('[data-relation]')");
        tab.until("document.querySelectorAll('.versions summary').length === 2");
        tab.evaluate("document.querySelector('.versions summary').click()");
        tab.until("document.querySelector('.versions [data-relation=mixed]')");
        assertThat(tab.complaints()).isEmpty();

        Tab phone = household.tab(browser, NARROW).go("/policy").fill("cashFloor", "2");
        phone.until("document.querySelector('form [data-relation=tighter]')");
        assertThat(Axe.violations(phone)).isEmpty();
        assertThat(phone.is("document.documentElement.scrollWidth > innerWidth"))
                .isFalse();
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

        tab.go("/requests").sees("Needs your approval").click("Allow… Buy 5,000 USD of BTC");
        assertThat(Axe.violations(tab)).isEmpty();
        String fields = "document.querySelector('[data-blocked] input[id^=%s]').id";
        String uses = tab.evaluate(fields.formatted("uses")).asString();
        tab.fill(uses, "0")
                .fill(tab.evaluate(fields.formatted("total")).asString(), "12,000")
                .click("Allow it")
                .sees("Enter a number from 1 to 1000.");
        tab.fill(uses, "2").click("Allow it").until("!document.body.innerText.includes('Needs your approval')");
        household.agent().propose(BUY_BTC);
        tab.sees("1 request waits for your decision.").sees("Within policy.");

        tab.go("/policy").sees("Buy up to 5,000 USD of BTC, by Rebalancer");
        tab.sees("Used 1 of 2 times, 5,000 USD of 12,000 USD").click("End now");
        tab.until("!document.body.innerText.includes('Buy up to 5,000 USD of BTC')");
        assertThat(household.app().get("/ips").get("approvals")).isEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_history_of_a_policy_with_many_versions_is_shown_in_pages() {
        ConsoleHousehold household = household();
        for (int i = 0; i < 6; i++) {
            household.app().call("POST", "/pause", "{}");
            household.app().call("POST", "/resume", "{}");
        }
        Tab tab = household.tab(browser, WIDE).go("/policy").sees("Version 13");
        tab.until("document.querySelectorAll('.versions > li').length === 9");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Older versions").until("document.querySelectorAll('.versions > li').length === 13");
        tab.sees("the first").until("!document.body.innerText.includes('Older versions')");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_pause_asks_once_what_it_is_to_end_and_ends_it() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.agent().propose(SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("2 requests wait for your decision.");
        tab.click("Pause all agents").sees("Reject 2 requests that wait for you");
        assertThat(tab.text("dialog")).doesNotContain("order");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("Reject 2 requests that wait for you").click("Pause now").sees("All agents are paused.");
        tab.sees("Nothing is waiting for you.").sees("You paused all agents and rejected what waited.");
        assertThat(household
                        .app()
                        .get("/requests?status=rejected")
                        .get("requests")
                        .get(0)
                        .get("reason")
                        .asString())
                .isEqualTo("paused");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void one_press_lets_agents_only_sell_and_one_lets_them_buy_again() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, NARROW).go("/usage").click("Menu").click("Only selling for all agents");
        tab.sees("Agents may only sell.");
        String buy = SELL_SPY.replace("sell", "buy");
        assertThat(household.agent().call("POST", "/policy/validate", buy).toString())
                .contains("Buying is paused by the user.");
        assertThat(household
                        .agent()
                        .call("POST", "/policy/validate", SELL_SPY)
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Allow buying").until("!document.body.innerText.includes('Agents may only sell.')");
        assertThat(household
                        .agent()
                        .call("POST", "/policy/validate", buy)
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
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
}
