package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.RunningService;
import dev.agentpolicy.app.SoftBrowser;
import dev.agentpolicy.app.StandInPushService;
import dev.agentpolicy.app.connection.DocumentServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
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

    /** Gives the browser a push service, which headless ones have not. */
    private static final String SUBSCRIBING = """
            PushManager.prototype.getSubscription = async () => null;
            PushManager.prototype.subscribe = async (options) => {
              window.subscribedWith = options.applicationServerKey;
              return { toJSON: () => (%s) };
            };""";

    /** What the worker shows, and what it keeps. */
    private static final String SHOWN = """
            navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => JSON.stringify(
              all.map((one) => [one.title, one.body, one.data, one.tag, ...one.actions.map((it) => it.title)])))""";

    private static final String KEPT = """
            caches.keys().then(([name]) => caches.open(name)).then((shell) => shell.keys())
              .then((all) => JSON.stringify(all.map((one) => new URL(one.url).pathname)))""";

    private StandInPushService pushes;

    @Override
    RunningService start(Path directory) {
        try {
            pushes = StandInPushService.start(DocumentServer.certificate(directory));
            return RunningService.pushing(directory, pushes::web);
        } catch (IOException | GeneralSecurityException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    @AfterAll
    void stopPushes() {
        pushes.close();
    }

    @Test
    void a_device_shows_a_request_that_was_pushed_and_keeps_the_shell_and_no_data() throws Exception {
        ConsoleHousehold household = household();
        SoftBrowser keys = SoftBrowser.make();
        String context = browser.context();
        browser.allowNotifications(context, service.address());
        Tab tab = household.tab(browser, WIDE, context);
        String subscription = keys.subscription(pushes.endpoint("phone"));
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", SUBSCRIBING.formatted(subscription)));
        tab.go("/account").click("Get notifications on this device").sees("(this one)");
        assertThat(keys.open(pushes.next().body())).contains("A device gets notifications");
        assertThat(tab.is("subscribedWith.length === 87")).isTrue();

        tab.choose("push-requests", "with_amounts").click("Save the notices").sees("Saved.");
        assertThat(household.app().get("/me").at("/notices/push").asString()).isEqualTo("with_amounts");
        household.agent().propose(SELL_SPY);
        tab.push(keys.open(pushes.next().body()));
        tab.awaits(() -> tab.evaluate(SHOWN).asString().contains("A request waits for you"));
        assertThat(tab.evaluate(SHOWN).asString())
                .contains("wants to sell SPY for 1000 USD.", "\"/requests/", "\"requests\",\"Review\"");

        assertThat(tab.evaluate(KEPT).asString())
                .contains("\"/\"", "/app.js", "/style/base.css")
                .doesNotContain("/api/");
        tab.go("/account").sees("(this one)").until("navigator.serviceWorker.controller");
        tab.clickNotification().sees("Sell 1,000 USD of SPY").until("location.pathname.startsWith('/requests/')");
        assertThat(tab.evaluate(SHOWN).asString()).isEqualTo("[]");
        tab.go("/account").sees("(this one)");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.resize(NARROW);
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        tab.until("document.querySelector('[data-device] button')");
        tab.evaluate("document.querySelector('[data-device] button').click()");
        tab.until("!document.querySelector('[data-device]')");
        assertThat(tab.complaints()).isEmpty();
    }

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
