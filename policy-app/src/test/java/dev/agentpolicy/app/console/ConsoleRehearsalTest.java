package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a change would have done to past decisions, the shadow, and the tests of the policy. */
class ConsoleRehearsalTest extends ConsoleBench {
    private static final int PHONE = 390;
    private static final String BUY_SPY = SELL_SPY.replace("sell", "buy");
    private static final String NO_SPY = "document.querySelector('[data-replay=done]')?.innerText.includes('%s')";

    /** Answers of replays come in the opposite order of the calls. */
    private static final String LATE_FIRST = """
        const honest = window.fetch;
        let replays = 0;
        window.fetch = async (path, options) => {
          const answer = await honest(path, options);
          if (path.endsWith('/ips/preview') && replays++ === 0) {
            await new Promise((resolve) => { setTimeout(resolve, 3000); });
          }
          return answer;
        };
        """;

    private ConsoleHousehold household;

    private ConsoleHousehold asking() {
        household = household();
        for (int i = 0; i < 3; i++) {
            household.agent().call("POST", "/policy/validate", BUY_SPY);
        }
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        return household;
    }

    private static void uncheckBuying(Tab tab) {
        tab.until("document.querySelector('.choices input')");
        tab.evaluate("document.querySelector('.choices input').click()");
    }

    private void fits(Tab tab) {
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void past_decisions_are_counted_while_editing_and_never_those_of_an_earlier_draft() {
        asking();
        for (int width : new int[] {WIDE, PHONE}) {
            Tab tab = browser.open(service.address(), width);
            tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", LATE_FIRST));
            tab.send(
                    "Network.setCookie",
                    Map.of(
                            "name",
                            "policy_session",
                            "value",
                            household.session(),
                            "url",
                            service.address(),
                            "httpOnly",
                            true));
            tab.go("/policy").fill("cashFloor", "1");
            tab.until("document.querySelector('[data-replay=counting] progress')");
            uncheckBuying(tab);
            tab.until(NO_SPY.formatted("Of the last 30 days\\' 4 decisions 3 would have been blocked."));
            assertThat(tab.is("document.querySelector('.turned > .bad').offsetWidth > 0"))
                    .isTrue();
            fits(tab);
            tab.click("Discard draft").until("!document.querySelector('[data-replay]')");
        }
    }

    @Test
    void a_draft_runs_as_a_shadow_counts_what_comes_and_is_put_in_force() {
        asking();
        Tab tab = household.tab(browser, PHONE).go("/policy");
        uncheckBuying(tab);
        tab.click("Review changes").click("Run it as a shadow first");
        tab.until("document.querySelector('[data-shadow]')").sees("No agent has asked anything since.");
        assertThat(household
                        .agent()
                        .call("POST", "/policy/validate", BUY_SPY)
                        .get("allowed")
                        .asBoolean())
                .isTrue();
        tab.click("Count again").sees("Of 1 decision since 1 would have been blocked.");
        fits(tab);

        tab.click("Put the shadow in force").sees("Version 2, since").until("!document.querySelector('[data-shadow]')");
        assertThat(household
                        .agent()
                        .call("POST", "/policy/validate", BUY_SPY)
                        .get("allowed")
                        .asBoolean())
                .isFalse();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_shadow_is_ended() {
        household = household();
        household
                .app()
                .call(
                        "PUT",
                        "/ips/shadow",
                        "{\"document\":"
                                + household.app().get("/ips").toString().replace("0.35", "0.3") + "}");
        Tab tab = household
                .tab(browser, WIDE)
                .go("/policy")
                .sees("It decides nothing.")
                .sees("Tighter");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("End the shadow").until("!document.querySelector('[data-shadow]')");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_trade_of_a_comparison_is_kept_as_a_test_that_keeps_a_policy_from_being_saved_by_accident() {
        household = household();
        Tab tab = household.tab(browser, PHONE).go("/policy").fill("crypto-max", "40");
        tab.until("document.querySelector('form [data-shows=looser] button')");
        tab.evaluate("document.querySelector('form [data-shows=looser] button').click()");
        tab.until("document.querySelector('[data-test=failed]')").sees("Under the draft, 1 of 1 test fails.");
        fits(tab);

        tab.click("Review changes").click("Save as version 2").sees("1 test of yours does not hold.");
        fits(tab);
        assertThat(household.app().get("/ips").get("ipsVersion").asInt()).isEqualTo(1);
        tab.click("Save it all the same")
                .sees("Version 2, since")
                .sees("Under the policy in force, 1 of 1 test fails.");

        String name = household
                .app()
                .get("/ips/tests")
                .get("tests")
                .get(0)
                .get("name")
                .asString();
        tab.click("Remove the test " + name).sees("A test is a trade that must come out as you say");
        tab.evaluate("[...document.querySelectorAll('summary')].find((s) => s.textContent === 'Edit as JSON').click()");
        tab.fill("tests-json", "[{").click("Save the tests").sees("This is not JSON");
        tab.fill("tests-json", "[{\"name\":\"a\"}]").click("Save the tests").sees("Correct the fields named above");
        assertThat(Axe.violations(tab)).isEmpty();
    }
}
