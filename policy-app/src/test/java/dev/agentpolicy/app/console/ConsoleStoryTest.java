package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.PASSWORD;
import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What people do with the console, from the first minute on. */
class ConsoleStoryTest extends ConsoleBench {
    @Test
    void from_sign_up_to_a_trade_that_audit_and_proof_agree_on() {
        Tab tab = browser.open(service.address(), WIDE).go("/");
        tab.click("Create an account").fill("email", "new@example.org").fill("password", "short");
        tab.click("Create account").sees("Use at least 12 characters; you have 5.");
        tab.fill("password", PASSWORD).click("Create account").sees("Begin with a template");
        tab.click("GrowthMore crypto, and room to move.");
        tab.click("Use the growth policy").sees("Version 1 is in force");
        tab.click("Paste from a spreadsheet");
        tab.fill("csv", "symbol,type,quantity,price\nBTC,crypto,0.25,80000\nSPY,tradfi,120,500\ncash,20000");
        tab.click("Add these lines").click("Save holdings").sees("Use a key");
        tab.click("Use a key")
                .fill("key-name", "Robot")
                .click("Mint key")
                .sees("This is the only time the key is shown.");

        ConsoleAgent agent = ConsoleAgent.withKey(service.address(), tab.text(".copyable pre"));
        assertThat(tab.click("curl").text(".step.now"))
                .contains("curl -s " + service.address() + "/api/agent/v1/policy/validate");
        agent.call("POST", "/policy/validate", SELL_SPY);
        tab.sees("Your agent asked: Sell 1,000 USD of SPY.")
                .click("See the full decision")
                .until("document.querySelector('.feed > li')");
        tab.evaluate("history.back()");

        tab.click("Go to your requests").sees("No request is waiting");
        long id = agent.propose(BUY_BTC);
        tab.sees("1 request waits for your decision.");
        assertThat(tab.text("article.request"))
                .contains(
                        "Robot",
                        "Buy 5,000 USD of BTC",
                        "Crypto is under its target.",
                        "20.0%\n→\n25.0%",
                        "7 days left");
        tab.click("Accept: Buy 5,000 USD of BTC").sees("Bought 0.0625 BTC at 80,000 USD for 5,000 USD, at Paper.");
        tab.until("document.getElementById('live').textContent === 'Buy 5,000 USD of BTC: completed'");

        JsonNode proposed = agent.get("/audit").get(1);
        assertThat(proposed.get("serviceRequest").get("id").asLong()).isEqualTo(id);
        assertThat(proposed.get("serviceRequest").get("status").asString()).isEqualTo("completed");
        tab.click("Activity").choose("by-kind", "guardrail.decision");
        tab.until("document.querySelectorAll('.feed > li').length === 3");
        assertThat(tab.text(".feed > li"))
                .contains("Accepted", "You accepted request " + id + ", to buy BTC for $5,000.");
        tab.evaluate("document.querySelector('.feed summary').click()");
        String seq =
                tab.evaluate("document.querySelector('.feed > li').dataset.seq").asString();
        String hash = tab.evaluate("document.querySelector('.feed > li').dataset.hash")
                .asString();
        tab.click("Check this event in the chain").sees("The chain holds");
        assertThat(tab.text("[data-verified]")).matches("(\\d+) of \\1 events");
        assertThat(tab.text("[data-receipt]")).isEqualTo("Event " + seq + " has this hash.");
        assertThat(agent.get("/policy/events?order=desc&limit=100").toString()).contains(hash);
        assertThat(tab.text("[data-head-hash]"))
                .isEqualTo(agent.get("/policy/events").get("head").get("hash").asString());
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void home_says_how_the_account_stands_and_what_to_do_next() {
        ConsoleHousehold household = household();
        household
                .agent()
                .call(
                        "POST",
                        "/policy/validate",
                        "{\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\",\"amountUsd\":90000}");
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/").sees("Rebalancer asks to ");

        assertThat(tab.text("#main")).contains("100,000 USD", "Buy 5,000 USD of BTC", "Not enough cash");
        assertThat(tab.text("[data-limit=crypto_max_allocation]")).contains("20%", "35%", "15 points");
        assertThat(tab.text("[data-blocked-count]")).isEqualTo("1");
        assertThat(tab.text("[data-checklist]")).contains("First steps", "2 of 8", "Verify the log");
        assertThat(tab.is("document.querySelector('[data-step=propose].done')")).isTrue();
        tab.click("Keep a back-up of your data").until("location.pathname + location.hash === '/account#data'");
        tab.until("document.querySelector('a[href$=export]')?.getBoundingClientRect().bottom < innerHeight");
        tab.go("/").click("Put away the first steps").until("!document.querySelector('[data-checklist]')");
        tab.go("/").sees("Headroom");
        assertThat(tab.is("document.querySelector('[data-checklist]')")).isFalse();
        tab.click("Decide").sees("Within policy.");

        Tab stranger = browser.open(service.address(), WIDE).go("/").click("Create an account");
        stranger.fill("email", "demo@example.com")
                .fill("password", ConsoleHousehold.PASSWORD)
                .click("Create account")
                .sees("Begin with a template");
        stranger.go("/").sees("this is missing: a policy, your holdings, a key for an agent.");
        stranger.sees("This is a demonstration")
                .click("Put away what to try")
                .until("!document.querySelector('[data-try-this]')");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void sample_data_leads_to_a_first_trade_that_is_tried_and_recorded_nowhere() {
        Tab tab = browser.open(service.address(), NARROW).go("/");
        tab.click("Create an account").fill("email", "curious@example.org").fill("password", PASSWORD);
        tab.click("Create account").click("Try with sample data").sees("Use a key");
        tab.click("Use a key").fill("key-name", "Robot").click("Mint key").sees("Connect your agent");

        tab.go("/policy").fill("try-policy-symbol", "btc");
        tab.fill("try-policy-amount", "20000").click("Try this trade").sees("Blocked");
        assertThat(tab.text(".verdict"))
                .contains("Buy 20,000 USD of btc", "Above the crypto maximum", "At most 5,000 USD would be allowed.");
        tab.go("/agents").click("Try a trade of Robot").sees("Nothing is recorded, and no cap is used.");
        String id =
                tab.evaluate("document.querySelector('input[id$=symbol]').id").asString();
        tab.fill(id, "SPY")
                .fill(id.replace("symbol", "amount"), "500")
                .click("Try this trade")
                .sees("Allowed");
        tab.go("/activity").sees("You minted the key Robot.");
        assertThat(tab.text(".feed")).doesNotContain("buy", "sell");
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_rejection_reaches_the_agent_with_its_reason() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy");
        tab.click("Reject: Buy 5,000 USD of BTC").until("document.activeElement.tagName === 'TEXTAREA'");
        tab.send("Input.insertText", Map.of("text", "Not this week"));
        tab.click("Reject this request").sees("Rejected. Not this week");

        JsonNode request = household.agent().get("/audit").get(1).get("serviceRequest");
        assertThat(request.get("status").asString()).isEqualTo("rejected");
        assertThat(request.get("reason").asString()).isEqualTo("Not this week");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void an_acceptance_the_policy_forbids_by_now_says_which_rule_and_by_how_much() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.capCrypto("0.22");
        Tab tab = household.tab(browser, WIDE).go("/requests").click("Accept: Buy 5,000 USD of BTC");

        tab.sees("Not accepted: the policy does not allow this trade now.");
        assertThat(tab.text("[data-refused] .violations"))
                .contains("Above the crypto maximum", "Limit 22%, would be", "points over");
        assertThat(tab.text("article.request")).contains("Waiting for you", "version 2 is in force");
    }

    @Test
    void a_hostile_rationale_is_shown_as_text() {
        ConsoleHousehold household = household();
        String hostile =
                "<img src=x onerror=document.title='owned'> \u202Edetcejer\u202C <script>1</script> " + "x".repeat(400);
        household.agent().propose(BUY_BTC.replace("Crypto is under its target.", hostile.replace("\"", "\\\"")));
        Tab tab = household.tab(browser, NARROW).go("/requests").sees("Buy 5,000 USD of BTC");

        assertThat(tab.text("blockquote"))
                .startsWith(
                        "<img src=x onerror=document.title='owned'> U+202Edetcejer" + "U+202C <script>1</script> xxx");
        assertThat(tab.is("document.querySelector('article img, article script')"))
                .isFalse();
        assertThat(tab.evaluate("document.title").asString()).isEqualTo("(1) Requests · Agent Policy");
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        tab.go("/activity").until("document.querySelectorAll('.feed > li').length === 4");
        assertThat(tab.is("document.querySelector('.feed img, .feed script')")).isFalse();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void an_ended_session_asks_for_the_password_and_loses_nothing() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE);
        deaf(tab);
        tab.go("/policy").fill("crypto-max", "31");
        household.app().call("DELETE", "/session", "");

        tab.click("Review changes").sees("Your session has ended");
        tab.press("Escape").press("Escape");
        assertThat(tab.is("document.querySelector('dialog[open]') && location.pathname === '/policy'"))
                .as("Escape leaves the dialog and the page alone")
                .isTrue();
        tab.fill("password", "not the password")
                .click("Sign in and go on")
                .until("document.querySelector('dialog .notice.bad')");
        tab.fill("password", PASSWORD).click("Sign in and go on").sees("Review before saving");
        tab.sees("Crypto maximum").click("Save as version 2").sees("Version 2, since");
        assertThat(household
                        .agent()
                        .get("/mandate")
                        .get("limits")
                        .get("cryptoMax")
                        .asDouble())
                .isEqualTo(0.31);

        tab.click("Sign out").sees("Your agents propose. You decide.");
        assertThat(tab.is("sessionStorage.length")).isFalse();
    }

    @Test
    void a_request_resolved_elsewhere_changes_in_its_place_without_a_reload() {
        ConsoleHousehold household = household();
        long id = household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Buy 5,000 USD of BTC");
        household.app().call("POST", "/requests/" + id + "/reject", "{\"reason\":\"From my phone\"}");

        tab.sees("From my phone").sees("Nothing is waiting for you.");
        assertThat(tab.is("document.querySelector('article.request.rejected')")).isTrue();
    }

    @Test
    void what_changes_before_the_stream_is_open_is_seen_when_it_opens() {
        ConsoleHousehold household = household();
        long id = household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE);
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                {
                  const request = navigator.locks.request.bind(navigator.locks);
                  const opened = new Promise((resolve) => { globalThis.openStream = resolve; });
                  navigator.locks.request = (...given) => opened.then(() => request(...given));
                }"""));
        tab.go("/requests").sees("Buy 5,000 USD of BTC");
        household.app().call("POST", "/requests/" + id + "/reject", "{\"reason\":\"Too early\"}");
        tab.evaluate("openStream()");

        tab.sees("Too early").sees("Nothing is waiting for you.");
    }

    @Test
    void a_request_is_accepted_with_the_keyboard_alone() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");
        tab.tabTo("Skip to the page").press("Enter").until("document.activeElement.id === 'main'");
        tab.tabTo("Accept: Buy 5,000 USD of BTC").press("Enter").sees("Completed. Bought");
        assertThat(tab.evaluate("document.activeElement.textContent").asString())
                .isEqualTo("Buy 5,000 USD of BTC");
    }

    @Test
    void keys_are_minted_rotated_and_revoked() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        Tab tab = household.tab(browser, WIDE).go("/agents").sees("Rebalancer");
        assertThat(tab.text("article.key"))
                .contains("1 of 200", "5,000 USD of 50,000 USD", "5,000 USD of 30,000 USD", "just now");

        tab.click("Rotate the key of Rebalancer")
                .sees("Rotate this key?")
                .click("Rotate key")
                .sees("Key of Rebalancer");
        ConsoleAgent rotated = ConsoleAgent.withKey(service.address(), tab.text("dialog .copyable pre"));
        assertThat(rotated.get("/whoami").get("keyType").asString()).isEqualTo("live");
        tab.press("Escape").click("I have stored the key");
        tab.click("Revoke the key of Rebalancer").click("Revoke key").sees("1 key revoked or expired");
    }

    @Test
    void the_preview_says_which_decisions_a_draft_would_turn() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC);
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household
                .tab(browser, WIDE)
                .go("/policy")
                .fill("crypto-max", "22")
                .click("Review changes");

        tab.sees("Review before saving").sees("Of the last 30 days' 2 decisions 1 would have been blocked.");
        assertThat(tab.text("#main")).contains("Crypto maximum\t35%\t22%");
        tab.sees("It would block 1 request that waits for you:");
        tab.until(
                "/Buy 5,000 USD of BTC.*Rebalancer/s.test(document.querySelector('form [data-affected]').textContent)");
        assertThat(tab.text("[data-in-words]"))
                .contains(
                        "Your draft in words",
                        "Keep crypto between 5% and 22%, aim for 20%. new",
                        "Keep at least 5% in cash.",
                        "Watch DOGE only.",
                        "Block every trade of SHIB from 22:00 to 06:00 (Europe/Berlin).");
        assertThat(Axe.violations(tab)).isEmpty();
        tab.click("Save as version 2").until("document.getElementById('toast').checkVisibility()");
        assertThat(tab.text("#toast")).isEqualTo("Saved as version 2.");
        tab.until("document.querySelector('[data-in-words] h2').textContent === 'In words'");
    }

    @Test
    void the_proof_page_names_the_event_that_was_tampered_with() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household.tab(browser, WIDE);
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                const honest = window.fetch;
                window.fetch = async (path, options) => {
                  const answer = await honest(path, options);
                  if (!path.includes('/events')) return answer;
                  return new Response((await answer.text()).replace('"amountUsd":"1000"', '"amountUsd":"1001"'));
                };"""));

        tab.go("/proof").sees("The chain is broken");
        assertThat(tab.text(".notice.bad"))
                .startsWith("Broken at event 3: the payload does not have its hash.")
                .contains("Events 1 to 2 hold.");
    }

    @Test
    void the_proof_page_names_the_keys_it_trusts_on_first_use_and_remembers_them() {
        Tab tab = household().tab(browser, WIDE).go("/proof").sees("The chain holds");
        assertThat(tab.text(".notice.good")).contains("Trusted on first use: anchor key ", ", event key ");

        tab.go("/policy").go("/proof").sees("The chain holds").sees("remembered by this browser");
        assertThat(tab.text(".notice.good")).doesNotContain("first use");

        tab.fill("root-key", "lZI1vM7tnlYapaF5-cy86ptx0tT_8Av721hhiNB5ti4")
                .click("Trust this root key")
                .sees("given to this browser");
    }

    @Test
    void the_proof_page_refuses_a_manifest_that_is_not_signed_or_signed_by_another_key() throws IOException {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("The chain holds");

        answering(
                tab,
                "/signing-keys",
                "const keys = JSON.parse(text); delete keys.signature; return JSON.stringify(keys);");
        tab.go("/policy").go("/proof").sees("The chain is broken");
        assertThat(tab.text(".notice.bad")).startsWith("Broken before the first event: the manifest is not signed.");

        answering(
                tab, "/signing-keys", "return " + quoted("attacks/manifest-signed-by-another/signing-keys.json") + ";");
        tab.go("/policy").go("/proof").sees("The chain is broken");
        assertThat(tab.text(".notice.bad"))
                .startsWith("Broken before the first event: the manifest is signed by another key than the anchor key");
    }

    @Test
    void the_proof_page_refuses_a_payload_that_was_set_to_null_by_hand() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household.tab(browser, WIDE);
        answering(
                tab,
                "/events",
                "const page = JSON.parse(text); page.events[2].payload = null; return JSON.stringify(page);");

        tab.go("/proof").sees("The chain is broken");
        assertThat(tab.text(".notice.bad"))
                .startsWith("Broken at event 3: the payload is missing, and no signed erasure explains it.");
    }

    /** From the next page on, the console hears nothing from the stream, so that it finds out by its next call. */
    private static void deaf(Tab tab) {
        String source = "globalThis.EventSource = class extends EventTarget { close() {} };";
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", source));
    }

    /** From the next page on, answers of a path are changed on their way to the console. */
    private static void answering(Tab tab, String path, String change) {
        tab.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", """
                {
                  const before = window.fetch;
                  window.fetch = async (path, options) => {
                    const answer = await before(path, options);
                    if (!path.includes('PATH')) return answer;
                    return new Response(((text) => { CHANGE })(await answer.text()));
                  };
                }""".replace("PATH", path)
                .replace("CHANGE", change)));
    }

    private static String quoted(String vectors) throws IOException {
        return new JsonMapper()
                .writeValueAsString(Files.readString(Path.of("../docs/vectors").resolve(vectors)));
    }

    @Test
    void a_failing_service_is_explained_and_nothing_typed_is_lost() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/agents").click("Mint a key").fill("key-name", "Robot");
        tab.offline(true);
        tab.click("Mint key").sees("The service could not be reached.").sees("What you typed is still here.");
        tab.sees("The service cannot be reached. What you see is of ");
        tab.offline(false);
        tab.click("Mint key").sees("Key of Robot").until("!document.querySelector('[data-away]')");
    }
}
