package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the console fetches, and when: the first view, the other pages, the font. */
class ConsoleLoadingTest extends ConsoleBench {
    private static final String MODULES = """
            [...new Set(performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname))]
              .filter((path) => path.endsWith('.js')).sort().join()""";
    private static final String NAMED_MODULES = """
            [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.getAttribute('href')).sort().join()""";

    private static final String FONT_FETCHES = """
            performance.getEntriesByType('resource').filter((one) => one.name.endsWith('.woff2')).length""";

    private ConsoleHousehold household;

    @BeforeAll
    void prepare() {
        household = household();
        household.agent().propose(ConsoleHousehold.BUY_BTC);
    }

    @Test
    void the_first_view_needs_the_modules_that_the_page_names_and_no_others() {
        Tab tab = household.tab(browser, WIDE).saveData();
        for (String path : new String[] {"/", "/requests"}) {
            tab.go(path).until("document.querySelector('main .card')");
            assertThat(tab.evaluate(MODULES).asString())
                    .isEqualTo(tab.evaluate(NAMED_MODULES).asString())
                    .contains("/app.js");
        }
        Tab stranger = browser.open(service.address(), WIDE).saveData().go("/sign-in");
        assertThat(stranger.evaluate(MODULES).asString())
                .isEqualTo(stranger.evaluate(NAMED_MODULES).asString());
    }

    @Test
    void every_page_opens_at_once_after_the_browser_was_idle() {
        Tab tab = household.tab(browser, WIDE).go("/");
        tab.until(MODULES + ".includes('/pages/welcome.js')").sees("Headroom");
        tab.block("*/assets/*");

        tab.click("Policy").sees("Version 1");
        tab.click("Portfolio").sees("Over time");
        tab.click("Agents").sees("Rebalancer");
        tab.click("Activity").sees("policy");
        tab.click("Reconciliation").sees("What you accepted");
        tab.click("Proof").sees("The chain holds");
        tab.click("Usage").sees("Last calls");
        tab.click(household.email() + ": your account").sees("Time zone");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_page_that_cannot_be_fetched_says_so_and_can_be_tried_again() {
        Tab tab = household.tab(browser, WIDE).saveData().go("/").sees("Headroom");
        tab.block("*/pages/policy.js");
        tab.click("Policy").sees("The page Policy could not be loaded.").sees("Check your connection and try again.");
        tab.until("document.activeElement === document.querySelector('main h1')");
        assertThat(tab.evaluate("document.title").asString()).endsWith("Policy · Agent Policy");
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Portfolio").sees("Over time");
        tab.click("Policy").sees("The page Policy could not be loaded.");
        tab.offline(true);
        tab.click("Try again").sees("The page Policy could not be loaded.");

        tab.offline(false);
        tab.block();
        tab.click("Try again").sees("Version 1");
        assertThat(tab.text("main h1")).isEqualTo("Policy");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void text_is_set_in_the_font_that_is_shipped_and_digits_are_equally_wide() {
        Tab tab = household.tab(browser, WIDE).go("/").sees("Headroom");
        tab.until("[...document.fonts].some((font) => font.family === 'Inter' && font.status === 'loaded')");
        assertThat(tab.is("document.fonts.check('1rem Inter')")).isTrue();
        assertThat(tab.evaluate(FONT_FETCHES).asInt()).isEqualTo(1);

        for (String selector : new String[] {"main h1", ".figure", "td.num", "nav a"}) {
            JsonNode font = platformFont(tab, selector);
            assertThat(font.get("familyName").asString()).as(selector).startsWith("Inter");
            assertThat(font.get("isCustomFont").asBoolean()).as(selector).isTrue();
        }
        String width = """
                ((digits) => {
                  const span = document.body.appendChild(document.createElement('span'));
                  span.className = 'num';
                  span.textContent = digits;
                  return span.getBoundingClientRect().width;
                })""";
        assertThat(tab.evaluate(width + "('1,111.11')").asDouble())
                .isEqualTo(tab.evaluate(width + "('8,888.88')").asDouble());
        assertThat(tab.complaints()).isEmpty();
    }

    /** The font that the browser really drew an element with. */
    private static JsonNode platformFont(Tab tab, String selector) {
        tab.send("DOM.enable", Map.of());
        tab.send("CSS.enable", Map.of());
        int root = tab.send("DOM.getDocument", Map.of()).at("/root/nodeId").asInt();
        int node = tab.send("DOM.querySelector", Map.of("nodeId", root, "selector", selector))
                .get("nodeId")
                .asInt();
        return tab.send("CSS.getPlatformFontsForNode", Map.of("nodeId", node)).at("/fonts/0");
    }
}
