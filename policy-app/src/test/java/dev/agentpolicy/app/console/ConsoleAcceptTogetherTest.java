package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Several requests that are accepted in one call, after a time to think again. */
class ConsoleAcceptTogetherTest extends ConsoleBench {
    private static final String CALLS = """
            window.calls = [];
            const send = window.fetch;
            window.fetch = (path, options) => { calls.push(`${options?.method ?? 'GET'} ${path}`); return send(path, options); };
            0""";
    private static final String SENT =
            "calls.filter((call) => call.startsWith('POST ') && call.endsWith('/requests/accept')).length";

    @Test
    void what_fits_together_is_accepted_in_one_call_that_can_be_taken_back_for_five_seconds() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.agent().propose(SELL_SPY);
        household.agent().propose(SELL_SPY);
        for (int width : List.of(WIDE, NARROW)) {
            Tab tab = household.tab(browser, width).go("/requests").sees("3 requests wait for your decision.");
            tab.evaluate(CALLS);
            tab.click("Accept several…").sees("Together: buys for 5,000 USD and sells for 2,000 USD.");
            assertThat(tab.text("dialog")).contains("5% of the portfolio", "Within policy", "1% of the portfolio");
            assertThat(Axe.violations(tab)).as("%d", width).isEmpty();
            tab.evaluate("document.querySelectorAll('.choice input')[2].click()");
            tab.sees("Together: buys for 5,000 USD and sells for 1,000 USD.").click("Accept 2 requests");
            tab.sees("2 requests will be accepted in 5 seconds.");
            assertThat(tab.evaluate(SENT).asInt()).isZero();
            if (width == WIDE) {
                tab.click("Undo").until("!document.querySelector('[data-planned]')");
                assertThat(tab.evaluate(SENT).asInt()).isZero();
                continue;
            }
            assertThat(Axe.violations(tab)).as("%d", width).isEmpty();
            tab.sees("1 request waits for your decision.");
            assertThat(tab.evaluate(SENT).asInt()).isOne();
            assertThat(tab.complaints()).isEmpty();
        }
        assertThat(household.app().get("/requests?status=completed").get("requests"))
                .hasSize(2);
    }

    @Test
    void of_requests_that_do_not_fit_together_the_first_that_does_not_is_named_and_none_is_accepted() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.agent().propose(BUY_BTC);
        household.capCrypto("0.27");
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("2 requests wait for your decision.");

        tab.click("Accept several…").sees("Together: buys for 10,000 USD.").click("Accept 2 requests");

        tab.sees("Nothing was accepted: request").sees("does not fit.");
        assertThat(tab.text("[data-refused=policy_blocked]")).contains("crypto maximum");
        assertThat(household.app().get("/requests?status=pending").get("requests"))
                .hasSize(2);
    }
}
