package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The proof page over a chain that was changed in the database, behind the back of the service. */
class ConsoleTamperedChainTest extends ConsoleBench {
    private static final String DATABASE = "jdbc:h2:mem:tampered-chain";
    private static final String SELL_SPY =
            "{\"action\":\"sell\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1000}";

    @Override
    Map<String, String> settings() {
        return Map.of("POLICY_DB_URL", DATABASE);
    }

    @Test
    void a_changed_event_is_named_and_nothing_on_the_page_says_otherwise() throws SQLException {
        ConsoleHousehold household = withFourEvents();
        replace(household, 3, "\"amountUsd\":\"1000\"", "\"amountUsd\":\"1001\"");
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("The chain is broken");

        assertBroken(tab, 3, "the payload does not have its hash", "Events 1 to 2 hold.");
        tab.evaluate("document.getElementById('live').textContent = ''");
        tab.click("Verify again");
        assertBroken(tab, 3, "the payload does not have its hash", "Events 1 to 2 hold.");
        assertThat(Axe.violations(tab)).isEmpty();

        assertReceipt(tab, household, 2, "Event 2 has this hash.");
        assertReceipt(tab, household, 3, "There is no event 3 among the verified ones.");
        assertReceipt(tab, household, 4, "There is no event 4 among the verified ones.");
        assertThat(tab.complaints()).isEmpty();
    }

    @Test
    void a_change_of_the_first_event_leaves_nothing_verified() throws SQLException {
        ConsoleHousehold household = withFourEvents();
        replace(household, 1, "\"cashFloor\":\"0.05\"", "\"cashFloor\":\"0.01\"");
        Tab tab = household.tab(browser, NARROW).go("/proof").sees("The chain is broken");

        assertBroken(tab, 1, "the payload does not have its hash", "Nothing could be verified.");
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
    }

    @Test
    void a_removed_event_is_named_by_the_one_that_should_be_there() throws SQLException {
        ConsoleHousehold household = withFourEvents();
        remove(household, 3);
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("The chain is broken");

        assertThat(tab.text(".notice.bad")).contains("Events 1 to 2 hold.").doesNotContain("event 2:");
        assertThat(tab.text("[data-verified]")).isEqualTo("2 of 4 events");
    }

    @Test
    void a_removed_end_is_noticed_by_a_browser_that_saw_it() throws SQLException {
        ConsoleHousehold household = withFourEvents();
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("The chain holds");
        assertThat(tab.text("[data-verified]")).isEqualTo("4 of 4 events");
        remove(household, 4);
        tab.go("/policy").go("/proof").sees("The chain is broken");

        assertThat(tab.text(".notice.bad")).startsWith("Broken at event 4: ").contains("Events 1 to 3 hold.");
        assertThat(tab.text("[data-verified]")).startsWith("3 of ");
    }

    /** A service that leaves out the end of the chain and cannot sign a head that hides it. */
    @Test
    void a_chain_that_was_cut_off_lacks_as_many_events_as_its_head_says() {
        ConsoleHousehold household = withFourEvents();
        for (int i = 0; i < 5; i++) {
            household.agent().call("POST", "/policy/validate", SELL_SPY);
        }
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("All 9 events hold");
        tab.evaluate("localStorage.clear()");
        cut(tab, 3);
        assertCut(tab, 3, "6 events are missing, the signed head names event 9", "Events 1 to 3 hold.");
        cut(tab, 8);
        assertCut(tab, 8, "1 event is missing, the signed head names event 9", "Events 1 to 8 hold.");
        cut(tab, 0);
        assertCut(tab, 0, "9 events are missing, the signed head names event 9", "Nothing could be verified.");
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(tab.complaints()).isEmpty();
    }

    /** Has the pages of the chain end after some rows. */
    private static void cut(Tab tab, int rows) {
        tab.evaluate("window.whole ??= window.fetch");
        tab.evaluate("window.fetch = async (...asked) => {"
                + " const answer = await window.whole(...asked);"
                + " if (!String(asked[0]).includes('/events?')) return answer;"
                + " const page = await answer.json();"
                + " return new Response(JSON.stringify({ ...page, events: page.events.slice(0, " + rows + ") })); }");
        tab.evaluate("document.getElementById('live').textContent = ''");
        tab.click("Verify again");
    }

    private static void assertCut(Tab tab, int held, String why, String holding) {
        tab.until("document.getElementById('live').textContent === 'The chain is broken: " + why + ".'");
        assertThat(tab.text(".notice.bad"))
                .startsWith("Broken at event " + (held + 1) + ": " + why + ".")
                .contains(holding);
        assertThat(tab.text("[data-verified]")).isEqualTo(held + " of 9 events");
        assertThat(tab.text("#main")).doesNotContain("The chain holds", "events hold:");
    }

    @Test
    void a_change_that_is_undone_leaves_no_trace_on_the_page() throws SQLException {
        ConsoleHousehold household = withFourEvents();
        replace(household, 3, "\"amountUsd\":\"1000\"", "\"amountUsd\":\"1001\"");
        Tab tab = household.tab(browser, WIDE).go("/proof").sees("The chain is broken");
        replace(household, 3, "\"amountUsd\":\"1001\"", "\"amountUsd\":\"1000\"");

        tab.click("Verify again").sees("The chain holds");

        assertThat(tab.text("#main"))
                .contains("All 4 events hold", "4 of 4 events")
                .doesNotContain("roken");
        assertThat(tab.is("document.querySelector('main .bad')")).isFalse();
    }

    private static void assertBroken(Tab tab, int seq, String why, String holding) {
        tab.until("document.getElementById('live').textContent === 'The chain is broken: " + why + ".'");
        assertThat(tab.text("#check")).isEqualTo("The chain is broken");
        assertThat(tab.text(".notice.bad"))
                .startsWith("Broken at event " + seq + ": " + why + ".")
                .contains(holding);
        assertThat(tab.text("[data-verified]")).isEqualTo(seq - 1 + " of 4 events");
        assertThat(tab.evaluate("document.querySelector('.progress progress').value")
                        .asInt())
                .isEqualTo(seq - 1);
        assertThat(tab.text("#main"))
                .doesNotContain(
                        "The chain holds", "events hold:", "nothing was changed", "Last event", "What is in it");
        assertThat(tab.is("document.querySelector('main .good')")).isFalse();
    }

    private static void assertReceipt(Tab tab, ConsoleHousehold household, int seq, String says) {
        String hash = household
                .app()
                .get("/activity")
                .get("events")
                .valueStream()
                .filter(event -> event.get("seq").asInt() == seq)
                .findFirst()
                .orElseThrow()
                .get("hash")
                .asString();
        tab.fill("receipt-seq", Integer.toString(seq))
                .fill("receipt-hash", hash)
                .sees(says);
    }

    /** The policy, the key and two decisions. */
    private ConsoleHousehold withFourEvents() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        household.agent().call("POST", "/policy/validate", SELL_SPY.replace("1000", "2000"));
        return household;
    }

    private static void replace(ConsoleHousehold household, int seq, String from, String to) throws SQLException {
        execute(
                "UPDATE policy_event SET payload_canonical = replace(payload_canonical, '" + from + "', '" + to
                        + "') WHERE user_id = ? AND payload_canonical LIKE '%" + from + "%' AND seq = ?",
                household,
                seq);
    }

    private static void remove(ConsoleHousehold household, int seq) throws SQLException {
        execute("DELETE FROM policy_event WHERE user_id = ? AND seq = ?", household, seq);
    }

    private static void execute(String sql, ConsoleHousehold household, int seq) throws SQLException {
        try (Connection connection = DriverManager.getConnection(DATABASE);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            String user = household.app().get("/me").get("userId").asString();
            statement.setObject(1, UUID.fromString(user));
            statement.setInt(2, seq);
            assertThat(statement.executeUpdate()).isOne();
        }
    }
}
