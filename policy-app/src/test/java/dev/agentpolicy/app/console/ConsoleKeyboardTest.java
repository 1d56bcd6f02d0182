package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static dev.agentpolicy.app.console.ConsoleHousehold.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Every journey with the keyboard alone. Nothing is clicked, and the focus is always visible and never lost. */
class ConsoleKeyboardTest extends ConsoleBench {
    private static final String SELL_SPY =
            "{\"action\":\"sell\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1000}";
    private static final String NEXT_PASSWORD = "a new battery of horses";

    @Test
    void a_person_signs_up_and_sets_up_policy_holdings_and_key() {
        Tab tab = browser.open(service.address(), WIDE).go("/");
        Keyboard keys = new Keyboard(tab);
        keys.enter("Create an account").sees("Create your account");
        keys.type("email", "keys@example.org").type("password", "short").press("Enter");
        keys.sees("Use at least 12 characters; you have 5.").type("password", PASSWORD);
        keys.enter("Create account").sees("Begin with a template");

        keys.to("Balanced" + tab.text(".template.chosen small")).press("ArrowDown");
        keys.enter("Use the growth policy").sees("Version 1 is in force");
        keys.enter("Try with sample data").sees("Use a key").enter("Use a key");
        keys.type("key-name", "Robot").enter("Mint key").sees("This is the only time the key is shown.");
        keys.to("Claude Code").press("ArrowLeft").isAt("curl");

        ConsoleAgent agent = ConsoleAgent.withKey(service.address(), tab.text(".copyable pre"));
        assertThat(agent.get("/mandate").get("limits").get("cryptoMax").asDouble())
                .isEqualTo(0.35);
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_person_signs_in_and_out() {
        ConsoleHousehold household = household();
        Tab tab = browser.open(service.address(), WIDE).go("/");
        Keyboard keys = new Keyboard(tab);
        keys.type("email", household.email()).type("password", "not this password");
        keys.press("Enter").sees("The address or the password is wrong.");
        keys.type("password", PASSWORD).enter("Sign in").sees("Headroom");

        assertThat(household.app().get("/sessions").get("sessions")).hasSize(2);
        keys.enter("Sign out").sees("Your agents propose. You decide.");
        assertThat(household.app().get("/sessions").get("sessions")).hasSize(1);
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_policy_is_written_reviewed_and_saved() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").sees("Version 1");
        Keyboard keys = new Keyboard(tab);
        keys.enter("Skip to the page").to("Crypto maximum").press("ArrowLeft", "PageDown");
        keys.type("tradfi-target", "60")
                .toField("maxSlippage")
                .to("Slippage cap, slider")
                .press("ArrowRight");
        keys.to("Sell").press(" ").type("asset-symbol", "eth").press("Enter").sees("ETH");
        keys.enter("Remove DOGE").doesNotSee("DOGE");
        keys.enter("Remove no-nights").doesNotSee("no-nights");
        keys.enter("Review changes").sees("What changes");
        keys.enter("Save as version 2").sees("Version 2, since");

        JsonNode ips = household.app().get("/ips");
        assertThat(ips.get("crypto").get("max").asDouble()).isEqualTo(0.24);
        assertThat(ips.get("tradfi").get("target").asDouble()).isEqualTo(0.6);
        assertThat(ips.get("maxSlippage").asDouble()).isEqualTo(0.011);
        assertThat(ips.get("allowedActions").toString()).isEqualTo("[\"buy\"]");
        assertThat(ips.get("assetAuthority").get("assets").toString()).isEqualTo("{\"ETH\":\"protect\"}");
        assertThat(ips.get("standingRules")).isEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_key_is_minted_changed_paused_rotated_and_revoked() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/agents").sees("Rebalancer");
        Keyboard keys = new Keyboard(tab);
        keys.enter("Mint a key")
                .type("key-name", "Second")
                .to("Caps and limits")
                .press("Enter");
        keys.type("key-calls", "7").enter("Mint key").sees("Key of Second");
        ConsoleAgent second = ConsoleAgent.withKey(service.address(), tab.text("dialog .copyable pre"));
        keys.enter("I have stored the key").doesNotSee("This is the only time");
        assertThat(household.key("Second").get("policy").get("dailyCallCap").asInt())
                .isEqualTo(7);

        keys.enter("Change the key of Second")
                .type(household.keyField("Second", "usd"), "12,500")
                .press("Enter")
                .sees("of 12,500 USD");
        assertThat(household.key("Second").get("policy").get("dailyUsdCap").asInt())
                .isEqualTo(12_500);
        keys.to("Pause Second").press(" ").sees("Paused");
        assertThat(second.call("POST", "/policy/validate", SELL_SPY).toString()).contains("This key is paused.");
        keys.to("Resume Second").press(" ").doesNotSee("Paused");
        assertThat(household.key("Second").get("paused").asBoolean()).isFalse();

        keys.enter("Rotate the key of Second").sees("Rotate this key?").choose("overlap", 2, "60");
        keys.press("Escape").doesNotSee("Rotate this key?").isAt("Rotate the key of Second");
        keys.press("Enter").sees("Rotate this key?").enter("Rotate key").sees("This is the only time");
        ConsoleAgent rotated = ConsoleAgent.withKey(service.address(), tab.text("dialog .copyable pre"));
        assertThat(rotated.get("/whoami").get("scopes")).isNotEmpty();
        assertThatThrownBy(() -> second.get("/whoami")).hasMessageContaining("401");
        keys.enter("I have stored the key").doesNotSee("This is the only time");

        keys.enter("Revoke the key of Second").sees("Revoke this key?").enter("Revoke key");
        keys.sees("1 key revoked or expired");
        assertThatThrownBy(() -> rotated.get("/whoami")).hasMessageContaining("401");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void all_agents_are_paused_and_resumed() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/usage").sees("No calls in these days");
        Keyboard keys = new Keyboard(tab);
        keys.to("Pause all agents").press(" ").sees("All agents are paused.");
        assertThat(household.app().get("/ips").get("paused").asBoolean()).isTrue();

        keys.enter("Resume").doesNotSee("All agents are paused.");
        assertThat(household.app().get("/ips").get("paused").asBoolean()).isFalse();
        tab.go("/policy").sees("You resumed all agents").sees("You paused all agents");
        tab.go("/proof").sees("All agents resumed").sees("All agents paused");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void requests_are_decided_one_by_one_with_letters_and_with_the_tab_key() {
        ConsoleHousehold household = household();
        long first = household.agent().propose(BUY_BTC);
        long second = household.agent().propose(SELL_SPY);
        long third = household.agent().propose(SELL_SPY.replace("1000", "2000"));
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("3 requests wait for your decision.");
        Keyboard keys = new Keyboard(tab);
        tab.until("document.querySelector('[data-do=accept]:not([aria-disabled])')");

        keys.press("j", "j").isAt("Sell 2,000 USD of SPY").press("k").isAt("Sell 1,000 USD of SPY");
        tab.sees("Within policy.");
        keys.press("r").isAt("Reject: Sell 1,000 USD of SPY").press("Enter");
        keys.type("reason-" + second, "Not ajkr").enter("Reject this request").isAt("Sell 2,000 USD of SPY");
        assertThat(request(household, second).get("reason").asString()).isEqualTo("Not ajkr");

        keys.press("k").isAt("Sell 1,000 USD of SPY").sees("Rejected. Not ajkr");
        keys.press("k").isAt("Buy 5,000 USD of BTC");
        tab.until("document.querySelector('[data-do=accept]:not([aria-disabled])')");
        keys.press("a").isAt("Accept: Buy 5,000 USD of BTC").press(" ").isAt("Sell 2,000 USD of SPY");
        assertThat(request(household, first).get("status").asString()).isEqualTo("completed");

        tab.sees("Within policy.");
        keys.to("Reject: Sell 2,000 USD of SPY").press(" ");
        keys.enter("Back").isAt("Reject: Sell 2,000 USD of SPY");
        tab.until("document.querySelector('[data-do=accept]:not([aria-disabled])')")
                .press("a");
        keys.isAt("Accept: Sell 2,000 USD of SPY").press("Enter").sees("Completed. Sold");
        assertThat(request(household, third).get("status").asString()).isEqualTo("completed");
        assertThat(tab.complaints()).isEmpty();
    }

    private static JsonNode request(ConsoleHousehold household, long id) {
        return household.app().get("/requests/" + id);
    }

    @Test
    void several_requests_are_rejected_at_once() {
        ConsoleHousehold household = household();
        for (int i = 0; i < 3; i++) {
            household.agent().propose(SELL_SPY);
        }
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("Within policy.");
        Keyboard keys = new Keyboard(tab);
        keys.enter("Reject several…").sees("Reject several requests").press("Escape");
        keys.doesNotSee("Reject several requests").isAt("Reject several…").press("Enter");
        keys.choose(
                "reject-agent", 1, household.key("Rebalancer").get("agentKeyId").asString());
        keys.type("reject-reason", "Not this week").enter("Reject 3 requests").sees("Nothing is waiting for you.");

        assertThat(household.app().get("/requests?status=rejected").get("requests"))
                .hasSize(3)
                .allMatch(request -> request.get("reason").asString().equals("Not this week"));
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_blocked_proposal_is_allowed_and_the_approval_ended() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").sees("Version 1");
        Keyboard keys = new Keyboard(tab);
        keys.enter("Add a standing rule").sees("A new standing rule").type("rule-id", "large");
        keys.choose("rule-effect", 1, "require_approval").type("rule-above", "2,000");
        keys.enter("Add the rule").sees("large").enter("Review changes").sees("What changes");
        keys.enter("Save as version 2").sees("Version 2, since");
        household.agent().call("POST", "/trades/propose", BUY_BTC);

        tab.go("/requests").sees("Needs your approval");
        keys.enter("Allow… Buy 5,000 USD of BTC").sees("up to 5,000 USD of BTC at a time, for");
        keys.enter("Cancel").isAt("Allow… Buy 5,000 USD of BTC").press("Enter");
        String time = "Allow Rebalancer to buy up to 5,000 USD of BTC at a time, for";
        keys.to(time).press("ArrowUp").enter("Allow it").doesNotSee("Needs your approval");
        assertThat(household.app().get("/ips").get("approvals")).hasSize(1);
        household.agent().propose(BUY_BTC);

        tab.go("/policy").sees("Buy up to 5,000 USD of BTC, by Rebalancer");
        keys.enter("End now").doesNotSee("Buy up to 5,000 USD of BTC");
        assertThat(household.app().get("/ips").get("approvals")).isEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_activity_is_searched_filtered_and_taken_away_as_csv(@TempDir Path downloads) throws IOException {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        household.agent().call("POST", "/policy/validate", SELL_SPY.replace("1000", "42"));
        String context = browser.context();
        browser.download(context, downloads);
        Tab tab = household.tab(browser, WIDE, context).go("/activity").sees("$1,000");
        Keyboard keys = new Keyboard(tab);
        keys.type("by-text", "sell SPY for $42").sees("Download these as CSV").doesNotSee("$1,000");
        keys.choose("by-kind", 1, "guardrail.decision");
        keys.to("More filters").press("Enter").type("by-asset", "SPY");
        tab.until("document.querySelectorAll('.feed > li').length === 1");

        keys.enter("Download these as CSV");
        tab.awaits(() -> activity(downloads).isPresent());
        Path csv = activity(downloads).orElseThrow();
        assertThat(Files.readAllLines(csv)).hasSize(2).last().asString().contains("SPY", "42");
        tab.press("Tab").press("Enter");
        keys.enter("Check this event in the chain").sees("has this hash.");
        assertThat(tab.complaints()).isEmpty();
    }

    /** The file of events, whose name has the day. */
    private static Optional<Path> activity(Path downloads) {
        try (Stream<Path> files = Files.list(downloads)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("activity-[0-9]{4}-[0-9]{2}-[0-9]{2}\\.csv"))
                    .findFirst();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void the_account_gets_a_password_and_a_passkey_and_loses_other_sessions() {
        ConsoleHousehold household = ConsoleHousehold.at(service.address());
        ConsoleAgent.signIn(service.address(), household.email(), PASSWORD);
        Tab tab = household.tab(browser, WIDE);
        tab.addAuthenticator();
        tab.go("/account").sees("This one").sees("Add a passkey");
        Keyboard keys = new Keyboard(tab);
        keys.type("passkey-name", "Phone").enter("Add a passkey").sees("never used");
        assertThat(household
                        .app()
                        .get("/passkeys")
                        .get("passkeys")
                        .get(0)
                        .get("name")
                        .asString())
                .isEqualTo("Phone");
        keys.type("passkey-above", "2,000").press("Enter").sees("Now one is required above 2,000 USD.");
        keys.enter("Remove Phone").sees("Remove this passkey?").type("confirm-password", PASSWORD);
        keys.enter("Remove passkey").doesNotSee("never used");
        assertThat(household.app().get("/passkeys").get("passkeys")).isEmpty();

        keys.enter("End this session");
        tab.until("document.querySelectorAll('[data-session]').length === 1");
        assertThat(household.app().get("/sessions").get("sessions")).hasSize(1);
        keys.type("current-password", PASSWORD)
                .type("new-password", NEXT_PASSWORD)
                .press("Enter");
        keys.sees("Your password is changed.");
        ConsoleAgent.signIn(service.address(), household.email(), NEXT_PASSWORD);
        keys.enter("Delete my account…").sees("Delete your account?").press("Escape");
        keys.doesNotSee("Delete your account?").isAt("Delete my account…");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void the_proof_is_made_again_taken_away_and_asked_about_a_receipt(@TempDir Path downloads) throws IOException {
        ConsoleHousehold household = household();
        String context = browser.context();
        browser.download(context, downloads);
        Tab tab = household.tab(browser, WIDE, context).go("/proof").sees("The chain holds");
        Keyboard keys = new Keyboard(tab);
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        keys.to("Verify again").press(" ").sees("3 of 3 events").sees("The chain holds");
        keys.enter("Download the chain");
        Path chain = downloads.resolve("events.json");
        tab.awaits(() -> Files.exists(chain));
        String hash =
                household.agent().get("/policy/events").get("head").get("hash").asString();
        assertThat(Files.readString(chain)).contains(hash);

        keys.type("receipt-seq", "3").type("receipt-hash", hash).sees("Event 3 has this hash.");
        keys.type("root-key", "lZI1vM7tnlYapaF5-cy86ptx0tT_8Av721hhiNB5ti4").enter("Trust this root key");
        keys.sees("given to this browser");
        assertThat(tab.complaints()).isEmpty();
    }
}
