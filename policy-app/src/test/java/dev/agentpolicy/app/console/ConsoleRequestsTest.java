package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The page Requests on a slow line and with many requests: nothing moves, and what it says is so. */
class ConsoleRequestsTest extends ConsoleBench {
    private static final double MAX_SHIFT = 0.05;
    private static final int MANY = 300;
    private static final Duration MAX_PAUSE = Duration.ofMillis(300);

    /**
     * Notes in every frame where the two buttons are, and adds up what moves. The verdict comes a second and a half after
     * everything else.
     */
    private static final String WATCH = """
            globalThis.shift = 0;
            globalThis.boxes = { accept: new Set(), reject: new Set() };
            globalThis.isOneAlone = false;
            globalThis.isEnabledTooEarly = false;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
            }).observe({ type: 'layout-shift', buffered: true });
            const look = () => {
              const buttons = Object.keys(boxes).map((name) => [name, document.querySelector(`[data-do=${name}]`)]);
              const drawn = buttons.filter(([, button]) => button);
              if (drawn.length === 1) globalThis.isOneAlone = true;
              for (const [name, button] of drawn) {
                const { x, y, width, height } = button.getBoundingClientRect();
                boxes[name].add([x, y, width, height].map((side) => side.toFixed(1)).join(' '));
                if (name === 'accept' && button.ariaDisabled !== 'true' && !document.querySelector('[data-verdict]')) globalThis.isEnabledTooEarly = true;
              }
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
            const real = globalThis.fetch;
            globalThis.fetch = async (path, options) => {
              const answer = await real(path, options);
              if (/requests[/][0-9]+$/.test(path)) await new Promise((resolve) => { setTimeout(resolve, 1500); });
              return answer;
            };
            """;

    /** Windows with a number of requests: two of them in every build, all with {@code -Plong}. */
    static List<Arguments> windows() {
        List<Arguments> all = new ArrayList<>(List.of(
                Arguments.of(1600, 900, 1),
                Arguments.of(1600, 900, 3),
                Arguments.of(360, 640, 1),
                Arguments.of(360, 640, 3),
                Arguments.of(1600, 1400, 1),
                Arguments.of(820, 1180, 2)));
        Collections.shuffle(all, new Random(ExperimentSettings.seed(ConsoleRequestsTest.class)));
        return all.subList(0, ExperimentSettings.times(2, all.size()));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void accept_never_appears_where_reject_was(int width, int height, int requests) {
        ConsoleHousehold household = household();
        long id = household.agent().propose(BUY_BTC);
        for (int more = 1; more < requests; more++) {
            household.agent().propose(SELL_SPY);
        }
        for (String path : List.of("/requests", "/requests/" + id)) {
            Tab tab = household.tab(browser, width);
            tab.resize(width, height);
            tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
            tab.slowLine();

            tab.go(path)
                    .sees("Within policy.")
                    .until("document.querySelector('[data-do=accept]').ariaDisabled !== 'true'");
            tab.until("performance.now() > 3000").until("document.querySelector('.rationale')");

            assertThat(tab.is("isOneAlone"))
                    .as("a button is drawn without the other")
                    .isFalse();
            assertThat(tab.is("isEnabledTooEarly"))
                    .as("Accept works before there is a verdict")
                    .isFalse();
            for (String button : List.of("accept", "reject")) {
                assertThat(tab.evaluate("[...boxes." + button + "].join(' | ')").asString())
                        .as("the places of %s at %s", button, path)
                        .isNotEmpty()
                        .doesNotContain("|");
            }
            System.out.printf("layout shift of %s at %d: %s%n", path, width, tab.evaluate("shift"));
            assertThat(tab.evaluate("shift").asDouble())
                    .as("layout shift at %s", path)
                    .isLessThan(MAX_SHIFT);
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void a_verdict_within_policy_says_before_accept_that_no_custodian_can_execute_it() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC.replace("BTC", "ETH"));
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");

        assertThat(tab.text("[data-verdict=allowed]"))
                .contains("It cannot be executed now.", "The paper custodian has no price for ETH; give it one.");
        assertThat(tab.is("document.querySelector('.verdict-line.good')")).isFalse();
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("Accept: Buy 5,000 USD of ETH")
                .sees("Accepted, but not executed. The paper custodian has no price for ETH; give it one.");
        household.app().call("POST", "/requests/reject", "{}");
        tab.go("/proof").sees("Acceptances among the decisions of which nothing was filled");
    }

    @Test
    void everything_is_not_said_to_fit_while_another_waiting_request_would_be_blocked() {
        ConsoleHousehold household = household();
        household.agent().propose(SELL_SPY);
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");
        tab.sees("all of it stays within policy.");

        household.capCrypto("0.22");

        tab.sees("version 2 is in force").until("!document.body.innerText.includes('all of it stays within policy')");
        tab.sees("Not everything that waits fits.")
                .sees("Accepted oldest first, Buy 5,000 USD of BTC would be blocked: above the crypto maximum.");
    }

    @Test
    void hundreds_are_rejected_in_one_call_and_pausing_does_not_wait_for_it() {
        Duration fastest = hundredsRejectedThenPaused();
        // A busy machine takes several times as long as a quiet one.
        for (int again = 0; again < 2 && fastest.compareTo(MAX_PAUSE) >= 0; again++) {
            Duration pause = hundredsRejectedThenPaused();
            fastest = pause.compareTo(fastest) < 0 ? pause : fastest;
        }
        assertThat(fastest).isLessThan(MAX_PAUSE);
    }

    /** How long it took from the press of the button until all agents were paused. */
    private Duration hundredsRejectedThenPaused() {
        ConsoleHousehold household = household();
        ConsoleAgent swarm = ConsoleAgent.withKey(
                service.address(),
                household
                        .app()
                        .call(
                                "POST",
                                "/keys",
                                "{\"name\":\"Swarm\",\"keyType\":\"live\",\"scopes\":[\"propose\"],\"policy\":{}}")
                        .get("key")
                        .asString());
        for (int i = 0; i < MANY; i++) {
            swarm.propose(SELL_SPY.replace("1000", "10"));
        }
        String context = browser.context();
        Tab other = household.tab(browser, WIDE, context).go("/requests").sees(MANY + " requests wait");
        Tab tab = household.tab(browser, WIDE, context).go("/requests").sees(MANY + " requests wait");
        tab.sees("Only the oldest 200 of all that wait were looked at together")
                .until("document.querySelector('button.pause')");
        tab.evaluate("""
                globalThis.calls = [];
                globalThis.refused = 0;
                {
                  const real = globalThis.fetch;
                  globalThis.fetch = async (path, options) => {
                    calls.push(`${options?.method ?? 'GET'} ${path.replace('/api/app/v1', '')}`);
                    const answer = await real(path, options);
                    if (answer.status === 429) refused++;
                    return answer;
                  };
                }
                document.addEventListener('click', ({ target }) => {
                  if (target.closest('.pause')) globalThis.pausedAt = performance.now();
                }, true);
                new MutationObserver(() => {
                  if (!document.querySelector('dialog') && calls.includes('POST /requests/reject')) {
                    globalThis.liveAfterAnswer ??= document.querySelectorAll('[data-do=accept]').length;
                  }
                  if (document.querySelector('.paused-banner')) globalThis.pausedAfter ??= performance.now() - pausedAt;
                }).observe(document.body, { childList: true, subtree: true });
                0""");

        tab.click("Reject several…").click("Reject " + MANY + " requests");
        // While the page still counts requests that wait, the button asks what to end.
        tab.until("!document.querySelector('dialog')").until("!document.querySelector('nav .count')");
        tab.click("Pause all agents").sees("All agents are paused.");
        tab.until("globalThis.pausedAfter !== undefined").sees("No request is waiting");
        // A tab that nobody looked at reads again what changed once it is seen.
        other.send("Page.bringToFront", Map.of());
        other.sees("Nothing is waiting for you.").until("!document.querySelector('[data-do=accept]')");

        Duration pause = Duration.ofNanos((long) (tab.evaluate("pausedAfter").asDouble() * 1e6));
        System.out.println("paused after " + pause + "; calls: " + tab.evaluate("calls.join(', ')"));
        assertThat(tab.evaluate("liveAfterAnswer").asInt()).isZero();
        assertThat(tab.evaluate("calls.filter((call) => call === 'POST /requests/reject').length")
                        .asInt())
                .isEqualTo(1);
        assertThat(tab.evaluate("calls.filter((call) => /requests[/][0-9]+/.test(call)).length")
                        .asInt())
                .as("single requests that were read again")
                .isLessThanOrEqualTo(1);
        assertThat(tab.evaluate("refused").asInt()).isZero();
        assertThat(tab.evaluate("calls.length").asInt()).isLessThan(40);
        assertThat(household.app().get("/requests?status=pending").get("requests"))
                .isEmpty();
        assertThat(tab.complaints()).isEmpty();
        return pause;
    }
}
