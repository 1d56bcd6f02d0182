package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A person who looks at another tab is told of requests: by the title, and by a notification if they want it. */
class ConsoleNotificationsTest extends ConsoleBench {
    private static final String SELL_SPY =
            "{\"action\":\"sell\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1000}";
    private static final String OPT_IN = "Notify me when a request waits while no tab of the console is in view";

    /** Keeps what is shown to the person, and still shows it. */
    private static final String RECORDER = """
            window.shown = [];
            window.Notification = class extends Notification {
              constructor(title, options) {
                super(title, options);
                window.shown.push([title, options.body, options.tag].join(' | '));
              }
            };""";

    @Test
    void who_opted_in_is_notified_of_a_proposal_while_the_tab_is_hidden_and_not_while_it_is_in_view() {
        ConsoleHousehold household = household();
        String context = browser.context();
        browser.allowNotifications(context, service.address());
        Tab tab = recorded(household.tab(browser, WIDE, context)).go("/account").sees("This one");
        tab.click(OPT_IN).until("localStorage.getItem('notify') === 'on'");
        tab.until("document.querySelector('.tick input').checked");

        household.agent().propose(SELL_SPY);
        tab.until("document.title.startsWith('(1) ')");
        assertThat(tab.evaluate("shown.length").asInt()).isZero();

        browser.cover(context);
        tab.until("document.hidden");
        household.agent().propose(SELL_SPY);
        tab.until("document.title.startsWith('(2) ')").until("shown.length === 1");
        assertThat(tab.evaluate("shown[0]").asString())
                .isEqualTo("Agent Policy | 2 requests wait for your decision. | inbox");
        household.app().call("POST", "/requests/reject", "{}");
        tab.until("document.title === 'Account · Agent Policy'");
        assertThat(tab.evaluate("shown.length").asInt()).isOne();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void who_did_not_opt_in_sees_the_number_in_the_title_of_the_hidden_tab_and_no_notification() {
        ConsoleHousehold household = household();
        String context = browser.context();
        browser.allowNotifications(context, service.address());
        Tab tab = recorded(household.tab(browser, WIDE, context)).go("/policy").sees("Version 1");
        browser.cover(context);
        tab.until("document.hidden");

        household.agent().propose(SELL_SPY);

        tab.until("document.title === '(1) Policy · Agent Policy'");
        assertThat(tab.evaluate("shown.length").asInt()).isZero();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void who_opted_out_again_is_not_notified_any_more() {
        ConsoleHousehold household = household();
        String context = browser.context();
        browser.allowNotifications(context, service.address());
        Tab tab = recorded(household.tab(browser, WIDE, context)).go("/account").sees("This one");
        tab.click(OPT_IN).until("localStorage.getItem('notify') === 'on'");
        tab.click(OPT_IN).until("localStorage.getItem('notify') === 'off'");
        browser.cover(context);
        tab.until("document.hidden");

        household.agent().propose(SELL_SPY);

        tab.until("document.title.startsWith('(1) ')");
        assertThat(tab.evaluate("shown.length").asInt()).isZero();
    }

    @Test
    void a_browser_that_refuses_notifications_offers_none() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE);
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                Object.defineProperty(Notification, 'permission', { get: () => 'denied' });"""));

        tab.go("/account").sees("This one");

        assertThat(tab.text("#main")).doesNotContain("Notify me");
        assertThat(tab.complaints()).isEmpty();
    }

    private static Tab recorded(Tab tab) {
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", RECORDER));
        return tab;
    }
}
