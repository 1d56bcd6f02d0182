package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.alpaca.AlpacaStandIn;
import dev.agentpolicy.alpaca.Fault;
import dev.agentpolicy.alpaca.StandInAccount;
import dev.agentpolicy.alpaca.StandInMarket.Execution;
import dev.agentpolicy.app.RunningService;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker's account in the console, from connecting it to the comparison of what was accepted and done. */
class ConsoleCustodianTest extends ConsoleBench {
    private static final String BUY_ETH =
            "{\"action\":\"buy\",\"assetSymbol\":\"ETH\",\"assetType\":\"crypto\",\"amountUsd\":1000}";
    private static final String ACCEPT_BTC = "Accept: Buy 5,000 USD of BTC";
    private static final String NO_BANNER = "!document.querySelector('[data-stale]')";
    private static final int MANY_CALLS = 10_000;

    private final AlpacaStandIn broker = listed(AlpacaStandIn.start());
    /** The broker of the impatient service, so that what fails there fails nowhere else. */
    private final AlpacaStandIn unreliable = listed(AlpacaStandIn.start());

    private RunningService impatient;

    private static AlpacaStandIn listed(AlpacaStandIn standIn) {
        standIn.market().coin("BTC/USD", "80000").share("SPY", "500");
        return standIn;
    }

    @Override
    Map<String, String> settings() {
        return Map.of(
                "POLICY_ALPACA_PAPER_URL", broker.address(),
                "POLICY_ALPACA_DATA_URL", broker.address(),
                "POLICY_CUSTODIAN_SYNC_SECONDS", "1");
    }

    /** A service that allows real money and decides by no holdings that are older than some seconds. */
    @BeforeAll
    void startImpatient(@TempDir Path directory) {
        impatient = RunningService.start(
                directory,
                Map.of(
                        "POLICY_ALPACA_PAPER_URL",
                        unreliable.address(),
                        "POLICY_ALPACA_LIVE_URL",
                        unreliable.address(),
                        "POLICY_ALPACA_DATA_URL",
                        unreliable.address(),
                        "POLICY_ALPACA_LIVE",
                        "on",
                        "POLICY_CUSTODIAN_SYNC_SECONDS",
                        "1",
                        "POLICY_SNAPSHOT_MAX_AGE_SECONDS",
                        "6"));
    }

    @AfterEach
    void calm() {
        unreliable.faults().stop();
        listed(broker).openMarket();
        broker.market().execution(Execution.AT_ONCE);
    }

    @AfterAll
    void stop() {
        if (impatient != null) {
            impatient.close();
        }
        broker.close();
        unreliable.close();
    }

    private static StandInAccount account(AlpacaStandIn at, String name) {
        return at.account(name, "20000").hold("BTC/USD", "0.25").hold("SPY", "120");
    }

    private static void fillIn(Tab tab, StandInAccount account) {
        tab.fill("connect-key", account.keyId()).fill("connect-secret", account.secretKey());
    }

    /** A tab on the portfolio of somebody who has just connected the account. */
    private Tab connected(ConsoleHousehold household, StandInAccount account) {
        Tab tab = household.tab(browser, WIDE).go("/portfolio").click("Connect Alpaca");
        fillIn(tab, account);
        return tab.click("Connect").sees("Connected").sees("Allocation");
    }

    private ConsoleHousehold newcomer() {
        return ConsoleHousehold.withoutHoldings(service.address());
    }

    private static void isAccessibleAndFits(Tab tab) {
        for (int width : List.of(NARROW, WIDE)) {
            tab.resize(width);
            tab.prefer("dark");
            assertThat(Axe.violations(tab)).as("%d, dark", width).isEmpty();
            tab.prefer("light");
            assertThat(Axe.violationsOfColours(tab)).as("%d, light", width).isEmpty();
            assertThat(tab.is("document.documentElement.scrollWidth > innerWidth"))
                    .as("the page scrolls sideways at %d", width)
                    .isFalse();
        }
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void from_connecting_an_account_to_a_completed_trade_at_market_prices() {
        StandInAccount account = account(broker, "whole");
        ConsoleHousehold household = newcomer();
        Tab tab = household.tab(browser, WIDE).go("/portfolio").sees("No holdings yet");
        tab.click("Connect Alpaca").sees("Make keys at app.alpaca.markets");
        isAccessibleAndFits(tab);
        tab.click("Connect").sees("Enter the key id.").sees("Enter the secret key.");
        fillIn(tab, account);
        tab.press("Enter").sees("Connected");

        tab.until("document.querySelector('.figure')?.innerText === '100,000 USD'");
        assertThat(tab.text("[aria-label='Positions at Alpaca']"))
                .contains("BTC\tCrypto\t0.25\t80,000 USD\t20,000 USD", "SPY\tTraditional\t120\t500 USD\t60,000 USD");
        assertThat(tab.text("[data-custodian=alpaca]")).contains("Alpaca, paper account, synced");
        isAccessibleAndFits(tab);
        broker.market().coin("BTC/USD", "88000");
        tab.until("document.querySelector('.figure')?.innerText === '102,000 USD'")
                .sees("88,000 USD");
        broker.market().coin("BTC/USD", "80000");
        tab.until("document.querySelector('.figure')?.innerText === '100,000 USD'");

        household.agent().propose(BUY_BTC);
        tab.go("/requests")
                .sees("At most 1% above the price of that moment is paid, and no more than 5,000 USD in all:"
                        + " up to 1% less BTC may be bought.")
                .click(ACCEPT_BTC)
                .sees("Bought 0.06188119 BTC at 80,000 USD for 4,950.50 USD, at Alpaca.")
                .sees("at most 80,800 USD a unit; filled at the reference.");
        assertThat(account.clientOrderIds()).hasSize(1);
        assertThat(account.units("BTC/USD")).isEqualByComparingTo("0.311881188");
        assertThat(tab.click("Order details").text("article.request"))
                .contains("Completed", account.clientOrderIds().get(0));
        tab.go("/portfolio").until("document.body.innerText.includes('0.31188')");

        tab.go("/activity").sees("Accepted");
        tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        tab.sees("Bought 0.06188119 BTC at 80,000 USD for 4,950.50 USD, at Alpaca.");
        tab.go("/reconciliation").sees("Nothing was done that you did not accept.");
        assertThat(tab.text("[aria-label='Accepted requests'] tbody"))
                .contains("Buy 5,000 USD of BTC", "Alpaca", "Filled", "1 fill", "49.50");
        assertThat(tab.click("1 fill").text(".fills"))
                .contains("at the reference", "Reference 80,000 USD,\nat most 80,800 USD");
        isAccessibleAndFits(tab);
    }

    @Test
    void wrong_keys_are_refused_in_place_and_the_secret_is_kept_nowhere() {
        StandInAccount account = account(broker, "mistyped");
        Tab tab = newcomer().tab(browser, WIDE).go("/portfolio").click("Connect Alpaca");
        tab.fill("connect-name", "My broker")
                .fill("connect-key", account.keyId())
                .fill("connect-secret", "secret-of-somebody-else");
        tab.click("Connect").sees("Check the key id, the secret key, and whether they belong to a paper or a live");

        tab.until("document.activeElement.id === 'connect-secret'");
        assertThat(tab.evaluate("['name', 'key', 'secret'].map((it) => document.getElementById('connect-' + it).value)")
                        .toString())
                .isEqualTo("[\"My broker\",\"" + account.keyId() + "\",\"\"]");
        isAccessibleAndFits(tab);
        tab.fill("connect-secret", "secret-of-somebody-else");
        assertThat(tab.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}])")
                        .asString())
                .contains("My broker", account.keyId())
                .doesNotContain("secret-of");
        tab.go("/portfolio").sees("No holdings yet").click("Connect Alpaca");
        assertThat(tab.is("document.getElementById('connect-secret').value === ''"))
                .isTrue();
        tab.fill("connect-secret", account.secretKey())
                .click("Connect")
                .until("document.querySelector('[data-custodian] h3')?.innerText === 'My broker'");
        tab.sees("Connected");
        assertThat(tab.is("sessionStorage.getItem('connect-alpaca')")).isFalse();
    }

    @Test
    void an_account_with_real_money_is_refused_where_the_operator_did_not_allow_it() {
        StandInAccount account = account(broker, "eager");
        Tab tab = newcomer().tab(browser, WIDE).go("/portfolio").click("Connect Alpaca");
        tab.choose("connect-environment", "live").sees("Live: real money");
        fillIn(tab, account);
        tab.click("Connect").sees("the operator can allow them");

        assertThat(tab.is("document.getElementById('connect-environment').value === 'live'"))
                .isTrue();
        isAccessibleAndFits(tab);
        tab.go("/portfolio").sees("No holdings yet");
    }

    @Test
    void an_account_with_real_money_is_marked_wherever_it_is_named() {
        StandInAccount account = account(unreliable, "real");
        ConsoleHousehold household = ConsoleHousehold.withoutHoldings(impatient.address());
        Tab tab = household.tab(browser, WIDE).go("/portfolio").click("Connect Alpaca");
        tab.choose("connect-environment", "live");
        fillIn(tab, account);
        tab.click("Connect").sees("Connected");
        String mark = "Live: real money";
        assertThat(tab.text("[data-custodian=alpaca] h3")).isEqualTo("Alpaca " + mark);

        household.agent().propose(BUY_BTC);
        tab.go("/requests").sees("Custodian\nAlpaca " + mark);
        isAccessibleAndFits(tab);
        tab.click(ACCEPT_BTC).sees("for 4,950.50 USD, at Alpaca " + mark);
        tab.go("/reconciliation").until("document.querySelector('table .badge.live')");
        tab.go("/activity").sees("Accepted");
        tab.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
        tab.sees("at Alpaca " + mark);
        tab.go("/portfolio").click("Disconnect Alpaca").sees("Nothing is sold, and your account at Alpaca stays");
        assertThat(tab.text("dialog")).contains(mark);
        isAccessibleAndFits(tab);
    }

    @Test
    void an_order_waits_for_a_closed_market_and_is_filled_when_it_opens() {
        StandInAccount account = account(broker, "patient");
        ConsoleHousehold household = newcomer();
        Tab tab = connected(household, account);
        broker.closeMarket();
        household.agent().propose(SELL_SPY);
        tab.go("/requests").click("Accept: Sell 1,000 USD of SPY").sees("Waiting for the market.");

        tab.sees("Nothing is waiting for you. 1 order is under way.");
        assertThat(tab.text("article.request"))
                .contains("Order under way", "Ordered for 1,000 USD, nothing filled yet, at Alpaca.");
        isAccessibleAndFits(tab);
        tab.go("/portfolio").sees("Sell SPY: 1,000 USD not yet filled");
        assertThat(tab.text(".figure")).isEqualTo("100,000 USD");
        tab.click("Disconnect Alpaca").click("Disconnect").sees("Cancel the order on the page Requests");
        isAccessibleAndFits(tab);

        tab.go("/requests").sees("Waiting for the market.");
        broker.openMarket();
        tab.sees("Sold 2 SPY at 500 USD for 1,000 USD, at Alpaca.");
        assertThat(account.units("SPY")).isEqualByComparingTo("118");
        tab.go("/portfolio").until("!document.body.innerText.includes('not yet filled')");
        tab.click("Disconnect Alpaca").click("Disconnect").sees("No holdings yet");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void an_order_that_is_partly_filled_can_be_cancelled_and_keeps_its_part() {
        StandInAccount account = account(broker, "partial");
        ConsoleHousehold household = newcomer();
        Tab tab = connected(household, account);
        broker.market().execution(Execution.BY_HAND);
        household.agent().propose(BUY_BTC);
        tab.go("/requests").click(ACCEPT_BTC).sees("Waiting for the market.");
        account.fill(account.clientOrderIds().get(0), "0.4");

        tab.sees("Filled 40%.").sees("1,980.20 USD of 5,000 USD filled, at 80,000 USD a unit, at Alpaca.");
        isAccessibleAndFits(tab);
        tab.tabTo("Cancel the order: Buy 5,000 USD of BTC").press("Enter").sees("Partly done.");
        tab.sees("USD of 5,000 USD, at Alpaca; the rest was cancelled, as you");
        tab.until("document.activeElement.textContent === 'Buy 5,000 USD of BTC'");
        isAccessibleAndFits(tab);
        tab.go("/reconciliation").sees("3,019.80");
        assertThat(account.units("BTC/USD")).isEqualByComparingTo("0.274752475");
    }

    @Test
    void an_order_of_which_nothing_is_filled_can_be_taken_back() {
        StandInAccount account = account(broker, "regret");
        ConsoleHousehold household = newcomer();
        Tab tab = connected(household, account);
        broker.market().execution(Execution.BY_HAND);
        household.agent().propose(BUY_BTC);
        tab.go("/requests").click(ACCEPT_BTC).sees("Waiting for the market.");

        tab.click("Cancel the order: Buy 5,000 USD of BTC");
        tab.sees("Cancelled. You cancelled the order before anything was filled.");
        tab.go("/reconciliation").sees("Reconciliation").until("!document.querySelector('.loading')");
        assertThat(account.units("BTC/USD")).isEqualByComparingTo("0.25");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_rejected_order_says_why_and_may_be_accepted_again() {
        StandInAccount account = account(broker, "unlucky");
        ConsoleHousehold household = newcomer();
        Tab tab = connected(household, account);
        broker.market().execution(Execution.REJECTED);
        household.agent().propose(BUY_BTC);
        tab.go("/requests").click(ACCEPT_BTC).sees("Accepted, but not executed. Alpaca rejected the order.");

        assertThat(tab.text("article.request")).contains("Waiting for you", "then accept again or reject");
        isAccessibleAndFits(tab);
        tab.go("/reconciliation").sees("nothing done");
        assertThat(tab.text("#main")).contains("Rejected", "5,000 USD\t5,000 USD\t0 USD");
        broker.market().execution(Execution.AT_ONCE);
        tab.go("/requests").click(ACCEPT_BTC).sees("Completed. Bought 0.06188119 BTC");
        assertThat(account.clientOrderIds()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void decisions_stand_still_while_the_broker_is_away_and_go_on_when_it_is_back() {
        StandInAccount account = account(unreliable, "distant");
        ConsoleHousehold household = ConsoleHousehold.withoutHoldings(impatient.address());
        Tab tab = connected(household, account);
        household.agent().propose(BUY_BTC);
        unreliable
                .faults()
                .next(
                        "GET",
                        "/v2/",
                        Collections.nCopies(MANY_CALLS, Fault.DROPPED).toArray(Fault[]::new));

        tab.sees("Decisions stand still. Alpaca was last synced").sees("Not reached");
        assertThat(tab.is("document.querySelector('.figure')")).isFalse();
        isAccessibleAndFits(tab);
        tab.click("Sync now Alpaca").until("document.getElementById('live').textContent.includes('is not synced')");
        tab.go("/requests").sees("Decisions stand still.").sees("so every trade is blocked until it answers.");
        isAccessibleAndFits(tab);
        tab.click(ACCEPT_BTC).sees("Not accepted: the policy does not allow this trade now.");
        assertThat(tab.text("[data-refused] .violations"))
                .contains("Alpaca was last heard of", "Your holdings are not known");
        assertThat(household.agent().get("/holdings").get("snapshot").isNull()).isTrue();

        unreliable.faults().stop();
        tab.until(NO_BANNER).click(ACCEPT_BTC).sees("Completed. Bought 0.06188119 BTC");
        tab.go("/portfolio").sees("Allocation").sees("Connected");
        assertThat(tab.is(NO_BANNER)).isTrue();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_trade_that_the_user_made_at_the_broker_stands_out() {
        StandInAccount account = account(broker, "handmade");
        ConsoleHousehold household = newcomer();
        Tab tab = connected(household, account);
        tab.go("/reconciliation").sees("Nothing was accepted yet");
        isAccessibleAndFits(tab);

        account.tradeByHand("SPY", true, "2");
        tab.sees("Trades you did not approve").sees("No request explains this trade.");
        assertThat(tab.text("[aria-label='Trades you did not approve'] tbody"))
                .contains("Bought SPY", "Alpaca", "2\t500 USD\t1,000 USD");
        isAccessibleAndFits(tab);
        assertThat(household.agent().get("/policy/events?order=desc&limit=20").toString())
                .contains("user_initiated");
        assertThat(tab.go("/portfolio").sees("122").text("[aria-label='Positions at Alpaca']"))
                .contains("SPY\tTraditional\t122\t500 USD\t61,000 USD");
    }

    @Test
    void a_paper_custodian_buys_what_it_was_given_a_price_for() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_ETH);
        Tab tab = household.tab(browser, WIDE).go("/requests").click("Accept: Buy 1,000 USD of ETH");
        tab.sees("The paper custodian has no price for ETH; give it one.");

        tab.click("holdings").click("Edit holdings at Paper").click("Add a price");
        tab.fill("priced-0", "spy").fill("given-price-0", "0").click("Save holdings");
        tab.sees("It has a price above.").sees("Enter a number above 0.");
        isAccessibleAndFits(tab);
        tab.fill("priced-0", "eth").fill("given-price-0", "2500").click("Save holdings");
        tab.until("!document.getElementById('priced-0')");
        tab.go("/requests")
                .click("Accept: Buy 1,000 USD of ETH")
                .sees("Bought 0.4 ETH at 2,500 USD for 1,000 USD, at Paper.");
        assertThat(tab.complaints()).isEmpty();
    }
}
