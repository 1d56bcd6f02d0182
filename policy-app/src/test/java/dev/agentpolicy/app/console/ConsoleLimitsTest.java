package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.guard.SettableClocks;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Limits by asset, over time and on losses: written in words, shown as they are used, and freed by time. */
class ConsoleLimitsTest extends ConsoleBench {
    private static final int DESK = 1440;
    private static final int PHONE = 390;
    private static final double MAX_SHIFT = 0.05;
    private static final String BUY = """
            {"action":"buy","assetSymbol":"%s","assetType":"tradfi","amountUsd":%s}""";

    /** It begins at noon, so that no journey runs over midnight by itself, and tomorrow, ahead of the browser. */
    private final SettableClocks time =
            new SettableClocks(Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofHours(36)));

    @Override
    Clocks clocks() {
        return time.running();
    }

    private static void isAccessibleAndFits(Tab tab) {
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
    }

    private static String verdict(Tab tab, String symbol, String type, int amount) {
        tab.fill("try-policy-symbol", symbol)
                .choose("try-policy-type", type)
                .fill("try-policy-amount", String.valueOf(amount));
        String trade = String.format(Locale.ROOT, "Buy %,d USD of %s", amount, symbol);
        return tab.click("Try this trade")
                .until("document.querySelector('.verdict strong')?.innerText === " + Tab.quoted(trade))
                .text(".verdict");
    }

    private static String limit(String id) {
        return "[data-policy-limit=" + id + "]";
    }

    @Test
    void a_limit_of_each_kind_is_written_in_words_hit_and_freed_by_time() {
        ConsoleHousehold household = household();
        Tab tab =
                household.tab(browser, DESK).go("/policy").click("Add a limit").sees("A new limit");
        tab.fill("limit-max", "22").fill("limit-symbols", "btc").sees("At most 22% in BTC");
        tab.click("Add the limit").click("Add a limit").choose("limit-kind", "flow");
        tab.fill("limit-usd", "5,000").sees("At most 5,000 USD in any 24 hours, all agents together");
        tab.click("Add the limit").click("Add a limit").choose("limit-kind", "flow");
        tab.fill("limit-trades", "1").fill("limit-window", "10").choose("limit-unit", "minutes");
        tab.choose("limit-per", "asset").sees("Not the same asset twice in 10 minutes");
        tab.click("Add the limit").click("Add a limit").choose("limit-kind", "loss");
        tab.fill("limit-max", "5").sees("After losing 5% in a day, no buying until midnight UTC");
        isAccessibleAndFits(tab);
        tab.click("Add the limit").click("Review changes").sees("Limit pace-2");
        tab.click("Save as version 2").sees("Version 2, since");
        assertThat(household.app().get("/ips").get("limits").toString())
                .isEqualTo(
                        "[{\"id\":\"share-1\",\"kind\":\"position\",\"effect\":\"block\",\"scope\":{\"symbols\":[\"BTC\"]},"
                                + "\"max\":0.22,\"perAsset\":false},"
                                + "{\"id\":\"pace-1\",\"kind\":\"flow\",\"effect\":\"block\",\"scope\":{},\"windowMinutes\":1440,"
                                + "\"maxUsd\":5000,\"per\":\"account\"},"
                                + "{\"id\":\"pace-2\",\"kind\":\"flow\",\"effect\":\"block\",\"scope\":{},\"windowMinutes\":10,"
                                + "\"maxTrades\":1,\"per\":\"asset\"},"
                                + "{\"id\":\"loss-1\",\"kind\":\"loss\",\"effect\":\"block\",\"scope\":{},\"windowDays\":1,\"max\":0.05}]");

        assertThat(verdict(tab, "BTC", "crypto", 3000))
                .contains("Blocked", "At most 22% in BTC", "Limit 22%, would be 23%", "1 point over")
                .contains("At most 2,000 USD would be allowed. One cent more: at most 22% in BTC.");
        household.agent().propose(BUY.formatted("SPY", "3000"));
        assertThat(verdict(tab, "SPY", "tradfi", 500))
                .contains("Not the same asset twice in 10 minutes", "Limit 1 trade, would be 2 trades: 1 trade over")
                .contains("Possible again in");
        assertThat(verdict(tab, "AGG", "tradfi", 2500))
                .contains("At most 5,000 USD in any 24 hours, all agents together", "500 USD over", "Possible again in")
                .contains("At most 2,000 USD would be allowed.");
        assertThat(verdict(tab, "AGG", "tradfi", 5500))
                .contains("This amount alone is more than the limit allows, at any time.");
        isAccessibleAndFits(tab);

        household.agent().propose(BUY.formatted("AGG", "1000"));
        tab.go("/").sees("How much of your limits is used");
        assertThat(tab.text(limit("share-1"))).contains("20% of 22%", "91% used");
        assertThat(tab.text(limit("pace-1")))
                .contains("4,000 USD of 5,000 USD", "80% used", "The oldest part drops out in");
        assertThat(tab.is("document.querySelector('" + limit("pace-1") + " [data-use=amber] .amber')"))
                .isTrue();
        assertThat(tab.text(limit("pace-2"))).contains("Counted for each asset");
        assertThat(tab.text(limit("loss-1"))).contains("0% lost of 5%", "0% used");
        isAccessibleAndFits(tab);
        tab.go("/requests").sees("Within policy.").sees("How much of your limits is used");
        assertThat(tab.text("article.request:not(.line)"))
                .contains("4,000 USD of 5,000 USD", "1 of 1 trade", "100% used, full", "Tightest: ");
        isAccessibleAndFits(tab);

        time.pass(Duration.ofMinutes(11));
        tab.go("/policy").sees("Try a trade");
        assertThat(verdict(tab, "SPY", "tradfi", 500)).contains("Allowed");
        assertThat(verdict(tab, "AGG", "tradfi", 2500)).contains("Blocked");
        time.pass(Duration.ofHours(24));
        assertThat(verdict(tab, "AGG", "tradfi", 2501)).contains("Allowed");

        household.app().call("PUT", "/custodians/paper", """
                {"name":"Paper","kind":"paper","cash":"20000","positions":[
                 {"symbol":"BTC","assetType":"crypto","quantity":"0.25","price":"80000"},
                 {"symbol":"SPY","assetType":"tradfi","quantity":"110","price":"450"},
                 {"symbol":"AGG","assetType":"tradfi","quantity":"50","price":"100"}]}""");
        assertThat(verdict(tab, "AGG", "tradfi", 100))
                .contains("After losing 5% in a day, no buying until midnight UTC", "Limit 5%, would be 5.5%");
        time.pass(Duration.ofHours(12));
        assertThat(verdict(tab, "AGG", "tradfi", 101)).contains("Allowed");
        tab.go("/").sees("How much of your limits is used");
        assertThat(tab.text(limit("pace-1"))).contains("0 USD of 5,000 USD", "0% used");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void days_are_drawn_between_their_limits_and_read_with_pointer_keyboard_and_as_a_table() {
        ConsoleHousehold household = household();
        time.pass(Duration.ofDays(1));
        for (String trade : List.of(ConsoleHousehold.SELL_SPY, BUY.formatted("AGG", 1000))) {
            long id = household.agent().propose(trade);
            household.app().call("POST", "/requests/" + id + "/accept", "{}");
        }
        household.app().call("PUT", "/custodians/paper", """
                {"name":"Paper","kind":"paper","cash":"20000","positions":[
                 {"symbol":"BTC","assetType":"crypto","quantity":"0.25","price":"80000"},
                 {"symbol":"SPY","assetType":"tradfi","quantity":"108","price":"450"},
                 {"symbol":"AGG","assetType":"tradfi","quantity":"60","price":"95"}]}""");
        time.pass(Duration.ofDays(1));
        household.capCrypto("0.3");
        household.app().call("POST", "/pause", "{}");
        Tab tab = household.tab(browser, DESK).go("/portfolio").sees("Over time");

        tab.until("document.getElementById('day')?.max === '2'");
        assertThat(tab.text(".charts .crypto")).contains("band 5% to 30%", "21.21%");
        assertThat(tab.text(".charts .drawdown")).contains("limit 25%", "5.7%");
        assertThat(tab.text(".chosen")).containsSubsequence("You changed the policy", "You paused all agents");
        for (String mark : List.of("trade", "policy", "pause")) {
            assertThat(tab.is("document.querySelector('.charts .flag." + mark + "')"))
                    .as(mark)
                    .isTrue();
        }
        tab.evaluate("document.getElementById('day').focus()");
        tab.press("ArrowLeft").until("document.getElementById('day').ariaValueText.includes('sold 2 SPY')");
        assertThat(tab.text(".charts .crypto")).contains("band 5% to 35%");
        JsonNode left = tab.evaluate("""
                ((plot) => {
                  plot.scrollIntoView({ block: 'center' });
                  const { x, y } = plot.getBoundingClientRect();
                  return { x: x + 3, y: y + 40 };
                })(document.querySelector('.plot'))""");
        tab.send(
                "Input.dispatchMouseEvent",
                Map.of(
                        "type",
                        "mouseMoved",
                        "x",
                        left.get("x").asInt(),
                        "y",
                        left.get("y").asInt()));
        tab.until("document.querySelector('.charts figcaption').innerText.includes('100,000 USD')");
        tab.click("As a table");
        assertThat(tab.evaluate(
                                "[...document.querySelectorAll('[aria-label=History] tbody tr')].map((row) => row.innerText).join(' | ')")
                        .asString())
                .containsSubsequence(
                        "94,300 USD",
                        "band 5% to 30%",
                        "You paused all agents",
                        "|",
                        "94,300 USD",
                        "band 5% to 35%",
                        "sold 2 SPY",
                        "|",
                        "100,000 USD");
        assertThat(shift(tab)).isLessThan(MAX_SHIFT);
        isAccessibleAndFits(tab);
        tab.resize(PHONE);
        isAccessibleAndFits(tab);

        tab.go("/")
                .until(
                        "document.querySelectorAll('.recent .chart').length === 5 && document.querySelector('.recent .limit[d]:not([d=\"\"])')");
        assertThat(tab.text(".recent")).contains("94,300 USD", "limit 25%", "5.7%");
        assertThat(shift(tab)).isLessThan(MAX_SHIFT);
        isAccessibleAndFits(tab);
        tab.go("/agents").click("Agent Rebalancer").sees("since it was filled");
        assertThat(tab.text(".tiles")).containsSubsequence("Earned since the fills", "+50 USD", "2 trades");
        assertThat(tab.text("[data-proposals]"))
                .containsSubsequence("Buy 1,000 USD of AGG", "−50 USD", "SPY", "+100 USD");
        isAccessibleAndFits(tab);
        assertThat(tab.complaints()).isEmpty();
    }

    /** How far things moved by themselves on a page. */
    private static double shift(Tab tab) {
        return tab.evaluate("""
                new Promise((done) => {
                  new PerformanceObserver((list) => done(list.getEntries().reduce((sum, { hadRecentInput, value }) => sum + (hadRecentInput ? 0 : value), 0)))
                    .observe({ type: 'layout-shift', buffered: true });
                  setTimeout(() => done(0), 500);
                })""").asDouble();
    }

    @Test
    void
            limits_are_written_changed_and_removed_with_the_keyboard_on_a_phone_and_the_service_s_errors_stand_at_theirs() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, PHONE).go("/policy").sees("Version 1");
        Keyboard keys = new Keyboard(tab);
        tab.evaluate("document.getElementById('unknown-assets').focus()");
        keys.enter("Begin with careful limits").sees("At most 2,000 USD in any 24 hours, all agents together");
        keys.enter("Remove same-twice").doesNotSee("Not the same asset twice");
        keys.enter("Add a limit").sees("A new limit").choose("limit-kind", 1, "flow");
        keys.type("limit-usd", "9000").type("limit-id", "again");
        isAccessibleAndFits(tab);
        keys.press("Enter").sees("At most 9,000 USD in any 24 hours, all agents together");
        keys.enter("Review changes").sees("Review before saving");
        tab.until("document.querySelector('[data-limit-id=again] .error')");
        assertThat(tab.text("[data-limit-id=again] .error"))
                .isEqualTo("has the scope, windowMinutes and per of a limit before it.");
        isAccessibleAndFits(tab);

        tab.click("Change again");
        keys.sees("Change a limit").type("limit-window", "2").press("Enter");
        keys.sees("At most 9,000 USD in any 2 hours").doesNotSee("Review before saving");
        assertThat(tab.is("document.querySelector('[data-limit-id=again] .error')"))
                .isFalse();
        tab.click("Review changes").click("Save as version 2").sees("Version 2, since");
        assertThat(household.app().get("/ips").get("limits")).hasSize(4);
        tab.go("/").sees("How much of your limits is used");
        isAccessibleAndFits(tab);
        assertThat(tab.complaints()).isEmpty();
    }
}
