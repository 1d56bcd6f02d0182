package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The activity: every event in words, searched, filtered and loaded page by page. */
class ConsoleActivityTest extends ConsoleBench {
    /** From now on a search finds one event on each of three pages, as if it were rare; which pages were asked for is kept. */
    private static final String SHORT_PAGES = """
            globalThis.asked = [];
            window.fetch = ((real) => async (path, options) => {
              const url = new URL(path, location.href);
              if (!url.pathname.endsWith('/activity') || !url.searchParams.has('text')) return real(path, options);
              const page = Number(url.searchParams.get('cursor') ?? 0);
              asked.push(page);
              globalThis.askedAt = performance.now();
              url.search = '';
              const { events } = await (await real(url, options)).json();
              return Response.json({ events: [events[page]], nextCursor: page === 2 ? null : String(page + 1) });
            })(window.fetch), 0""";

    /** From now on, each load of the first page, which the page repeats every few seconds, waits until `release` is called. */
    private static final String HELD_FIRST_PAGE = """
            globalThis.isHeld = false;
            globalThis.released = new Promise((release) => { globalThis.release = release; });
            window.fetch = ((real) => async (path, options) => {
              const url = new URL(path, location.href);
              if (url.pathname.endsWith('/activity') && !url.searchParams.has('cursor')) {
                isHeld = true;
                await released;
              }
              return real(path, options);
            })(window.fetch), 0""";

    private static final String TWO_FRAMES =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

    /** Shows the first page of more events than it takes. */
    private Tab tabOfSixtyDecisions() {
        ConsoleHousehold household = household();
        for (int i = 1; i <= 60; i++) {
            household.agent().call("POST", "/policy/validate", SELL_SPY.replace("1000", Integer.toString(i)));
        }
        return household
                .tab(browser, WIDE)
                .go("/activity")
                .until("document.querySelectorAll('.feed > li').length >= 50");
    }

    @Test
    void the_activity_is_searched_filtered_and_scrolled_and_its_address_can_be_kept() {
        Tab tab = tabOfSixtyDecisions();
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
        tab.until("document.querySelectorAll('.feed > li').length >= 62").sees("End of the log");
        backToTheSamePlace(tab);

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

    /** Looks at another page, which begins at its top, and comes back to where and to as many events as it was left. */
    private static void backToTheSamePlace(Tab tab) {
        int place = tab.evaluate("Math.round(scrollY)").asInt();
        assertThat(place).isGreaterThan(1_000);
        tab.evaluate("document.querySelector('nav a[href=\"/proof\"]').click()");
        tab.sees("The chain holds");
        assertThat(tab.evaluate("scrollY").asInt()).isZero();
        tab.evaluate("history.back()");
        tab.until("document.querySelectorAll('.feed > li').length >= 62").until("Math.round(scrollY) === " + place);
    }

    @Test
    void a_new_event_comes_to_the_top_of_the_first_page() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/activity").sees("You minted the key Rebalancer.");
        household.agent().propose(SELL_SPY);
        tab.until("document.querySelector('.feed > li').innerText.includes('asked to sell SPY')");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void pages_that_are_loaded_stay_when_something_changes() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/activity").sees("You minted the key Rebalancer.");
        tab.evaluate(SHORT_PAGES);
        tab.fill("by-text", "rebalancer")
                .until("document.querySelectorAll('.feed > li').length === 3")
                .until("asked.at(-1) === 2 && performance.now() - askedAt > 500");
        String before = tab.evaluate("asked.join()").asString();

        household.agent().propose(SELL_SPY);
        tab.until("document.title.startsWith('(1) ')");
        assertThat(tab.evaluate("asked.join()").asString()).isEqualTo(before).endsWith("0,1,2");
        assertThat(tab.evaluate("document.querySelectorAll('.feed > li').length")
                        .asInt())
                .isEqualTo(3);
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_end_that_is_reached_while_the_first_page_is_loaded_again_loads_the_next_page() {
        Tab tab = tabOfSixtyDecisions();
        tab.evaluate(HELD_FIRST_PAGE);
        tab.until("isHeld");
        tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
        tab.evaluate(TWO_FRAMES);
        tab.evaluate("release(), 0");
        tab.until("document.querySelectorAll('.feed > li').length >= 62").sees("End of the log");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void days_are_utc_days_in_any_time_zone_and_a_text_that_is_no_day_is_ignored() {
        Tab tab = household().tab(browser, WIDE);
        tab.send("Emulation.setTimezoneOverride", Map.of("timezoneId", "Asia/Tokyo"));
        tab.go("/activity?from=2026-05-02&to=2026-05-03").sees("No event fits these filters");
        assertThat(tab.evaluate("new URL(document.querySelector('a[download]').href).search")
                        .asString())
                .contains("from=2026-05-02T00%3A00%3A00.000Z", "to=2026-05-04T00%3A00%3A00.000Z");

        tab.go("/activity?from=x&to=2026-02-99").sees("You minted the key Rebalancer.");
        assertThat(tab.complaints()).isEmpty();
    }
}
