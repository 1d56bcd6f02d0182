package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Numbers say what they are, to the last digit that decides. */
class ConsoleNumbersTest extends ConsoleBench {
    private static final String BUY =
            "{\"action\":\"buy\",\"assetSymbol\":\"%s\",\"assetType\":\"%s\",\"amountUsd\":%s}";

    @Test
    void an_amount_is_attested_with_every_decimal_it_has() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY.formatted("ETH", "crypto", "0.001"));
        household.agent().propose(BUY.formatted("ETH", "crypto", "4999.999"));
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Buy 0.001 USD of ETH");

        assertThat(tab.text("#main")).contains("Buy 4,999.999 USD of ETH").doesNotContain("0.00 USD");
    }

    @Test
    void a_price_below_a_cent_is_not_nothing_and_neither_is_what_it_is_worth() {
        ConsoleHousehold household = household();
        household.app().call("PUT", "/custodians/paper-2", """
                {"name":"Dust","kind":"paper","cash":"0.004","positions":[
                 {"symbol":"SHIB","assetType":"crypto","quantity":"2","price":"0.0000123"}]}""");
        Tab tab = household.tab(browser, WIDE).go("/portfolio").sees("SHIB");

        assertThat(tab.text("[aria-label='Positions at Dust']"))
                .contains("0.0000123 USD", "0.0000246 USD", "0.004 USD")
                .doesNotContain("0.00 USD");
        assertThat(tab.text(".figure")).isEqualTo("100,000.00 USD");
    }

    @Test
    void a_violation_says_how_little_it_takes() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", BUY.formatted("AGG", "tradfi", "20000.001"));
        household.agent().call("POST", "/policy/validate", BUY.formatted("ETH", "crypto", "15000.5"));
        Tab tab = household.tab(browser, WIDE).go("/activity").sees("buy ETH for $15,000.50");
        tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");

        assertThat(tab.text(".feed"))
                .contains(
                        "Limit 20,000 USD, would be 20,000.001 USD: 0.001 USD over",
                        "Limit 80%, would be 80%: just over",
                        "Limit 35%, would be 35.0005%: 0.0005 points over",
                        "Limit 5%, would be 4.9995%: 0.0005 points under");
    }

    @Test
    void a_slippage_that_nobody_gave_is_not_said_to_be_none() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY.formatted("ETH", "crypto", "500"));
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Buy 500 USD of ETH");

        assertThat(tab.text("article.request")).contains("not given").doesNotContain("of at most");
        household.agent().propose(ConsoleHousehold.BUY_BTC);
        tab.sees("Buy 5,000 USD of BTC").press("j").sees("0.5% of at most 1%");
    }

    @Test
    void a_day_of_the_service_is_the_same_day_everywhere() {
        ConsoleHousehold household = household();
        household.agent().get("/whoami");
        LocalDate day = LocalDate.parse(household
                .app()
                .get("/usage?days=1")
                .get("series")
                .get(0)
                .get("day")
                .asString());
        Tab tab = household.tab(browser, WIDE);
        for (String zone : new String[] {"Pacific/Pago_Pago", "Pacific/Kiritimati"}) {
            tab.send("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
            for (String path : new String[] {"/usage", "/portfolio"}) {
                tab.go(path).until("document.querySelector('details tbody th')");
                assertThat(tab.evaluate("document.querySelector('details tbody th').textContent")
                                .asString())
                        .as("%s in %s", path, zone)
                        .startsWith(day.getDayOfMonth() + " ");
            }
        }
    }

    @Test
    void the_picture_of_a_policy_leaves_out_what_is_no_percent() {
        Tab tab = household().tab(browser, WIDE).go("/policy").fill("crypto-max", "abc");
        tab.fill("cashFloor", "-5").fill("maxDrawdown", "250").fill("tradfi-min", "90");

        tab.until("document.querySelectorAll('.band-row .allowed').length === 1");
        assertThat(tab.text(".bands")).doesNotContain("NaN", "–%", "floor", "limit");
        assertThat(tab.text("#main")).contains("Enter a number from 0 to 100", "Must be at least the minimum, 90%.");
        assertThat(tab.complaints()).isEmpty();
    }
}
