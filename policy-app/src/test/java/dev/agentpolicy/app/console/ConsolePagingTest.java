package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lists that are longer than one page of the API. */
class ConsolePagingTest extends ConsoleBench {
    private static final String BUY_AGG =
            "{\"action\":\"buy\",\"assetSymbol\":\"AGG\",\"assetType\":\"tradfi\",\"amountUsd\":%d}";

    @Test
    void all_that_waits_is_shown_the_oldest_first_and_so_is_what_is_resolved() {
        ConsoleHousehold household = household();
        long rejected = household.agent().propose(BUY_AGG.formatted(500));
        household.app().call("POST", "/requests/" + rejected + "/reject", "{\"reason\":\"Not this week\"}");
        for (int i = 1; i <= 103; i++) {
            household.agent().propose(BUY_AGG.formatted(i));
        }
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("103 requests wait for your decision.");

        assertThat(tab.text("article.request h2")).isEqualTo("Buy 1 USD of AGG");
        tab.until("document.querySelector('nav .count')?.innerText.startsWith('103')");
        tab.until("document.querySelector('table')?.innerText.includes('Buy 500 USD of AGG')");
        assertThat(tab.is("document.body.innerText.includes('Older requests')")).isFalse();
    }
}
