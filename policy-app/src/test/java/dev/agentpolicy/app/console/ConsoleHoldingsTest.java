package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a custodian holds, as it is pasted and typed. */
class ConsoleHoldingsTest extends ConsoleBench {
    private Tab reader;

    @BeforeAll
    void prepare() {
        reader = browser.open(service.address(), WIDE).go("/");
    }

    private String read(String text) {
        return reader.evaluate("""
                import(document.querySelector('script[src$="/app.js"]').src.replace('app.js', 'portfolio/csv.js'))
                  .then(({ readCsv }) => readCsv(%s)).then(({ positions, cash, problems }) =>
                    [...positions.map((p) => [p.symbol, p.assetType, p.quantity, p.price].join(' ')),
                      ...(cash === null ? [] : ['cash ' + cash]), ...problems].join(' | '))""".formatted(Tab.quoted(text.replace("\\t", "\t"))))
                .asString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            BTC,crypto,0.25,80000                | BTC crypto 0.25 80000
            btc, Coin , 0.25 , 80000             | BTC crypto 0.25 80000
            SPY,tradfi,120,500,,                 | SPY tradfi 120 500
            BTC;crypto;1,250.5;$80,000.00        | BTC crypto 1250.5 80000.00
            SPY\\tetf\\t1 234 567\\t1'234.5      | SPY tradfi 1234567 1234.5
            SPY,fund,"1,234,567","$ 1,234.50"    | SPY tradfi 1234567 1234.50
            cash,20000                           | cash 20000
            cash,,,20000                         | cash 20000
            cash;"20,000.00"                     | cash 20000.00
            """)
    void a_pasted_line_is_read(String line, String expected) {
        assertThat(read("symbol,type,quantity,price\n" + line + "\n\n")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            cash,20,000              | cash needs one amount, as in cash,20000.
            cash                     | cash needs one amount, as in cash,20000.
            cash;20,000              | the cash "20,000" can be read as 20000 or as 20.000. Write the one you mean.
            SPY;etf;1,250;500        | the quantity "1,250" can be read as 1250 or as 1.250. Write the one you mean.
            SPY,etf,5,"$1,250"       | the price "$1,250" can be read as 1250 or as 1.250. Write the one you mean.
            BTC;crypto;0,250;80000   | the quantity "0,250" is not a number. Write it as in 1234.5.
            BTC;crypto;1.234,500;8   | the quantity "1.234,500" is not a number. Write it as in 1234.5.
            BTC;crypto;1 23;8        | the quantity "1 23" is not a number. Write it as in 1234.5.
            BTC;crypto;;8            | the quantity "" is not a number. Write it as in 1234.5.
            BTC,0.25,crypto,80000    | the second column must be crypto or tradfi, not "0.25".
            BTC,crypto,1,250,80000   | it must have 4 columns: asset, sleeve, quantity, price. Write numbers without commas.
            BTC,crypto,1             | it must have 4 columns: asset, sleeve, quantity, price. Write numbers without commas.
            """)
    void a_pasted_line_is_refused_rather_than_guessed(String line, String expected) {
        assertThat(read("symbol,type,quantity,price\n" + line)).isEqualTo("Line 2: " + expected);
    }

    @Test
    void lines_with_one_that_is_unclear_are_not_taken() {
        Tab tab = household().tab(browser, WIDE).go("/portfolio").click("Edit holdings at Paper");
        tab.click("Paste from a spreadsheet").fill("csv", "ETH,crypto,2,2500\ncash,20,000");
        tab.click("Add these lines").sees("Line 2: cash needs one amount, as in cash,20000.");
        assertThat(tab.is("document.getElementById('symbol-3')")).isFalse();

        tab.fill("csv", "ETH,crypto,2,2500\ncash,21000").click("Add these lines");
        tab.until("document.getElementById('symbol-3')?.value === 'ETH'");
        assertThat(tab.is("document.getElementById('holdings-cash').value === '21000'"))
                .isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_new_peak_is_begun_with_the_password_and_the_policy_says_since_when() {
        ConsoleHousehold household = household();
        household.app().call("POST", "/custodians/paper/trades", """
                {"action":"sell","symbol":"SPY","assetType":"tradfi","quantity":10,"price":400}""");
        Tab tab = household.tab(browser, WIDE).go("/portfolio").click("Begin a new peak");
        tab.sees("the drawdown is counted from 99,000 USD on").fill("confirm-password", "wrong horse battery");
        tab.click("Count from here").sees("Enter the password that you sign in with");
        tab.fill("confirm-password", ConsoleHousehold.PASSWORD).click("Count from here");

        tab.until("!document.querySelector('dialog') && !document.body.innerText.includes('Begin a new peak')");
        tab.go("/policy").sees("The drawdown is counted since");
        assertThat(tab.complaints()).isEmpty();
    }
}
