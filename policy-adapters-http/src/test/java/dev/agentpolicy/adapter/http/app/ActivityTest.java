package dev.agentpolicy.adapter.http.app;

import static dev.agentpolicy.adapter.http.SignedIn.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.SignedIn;
import dev.agentpolicy.adapter.http.wire.TestService;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every event in words. */
class ActivityTest {
    private static final String ACTIVITY = APP + "activity";
    private static final String TOO_MUCH = Expect.TRADE.replaceFirst("\"amountUsd\":[0-9.]+", "\"amountUsd\":9800.5");

    private final TestService service = new TestService();
    private final SignedIn signedIn = new SignedIn(service);
    private final Client user = signedIn.user();

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a_new_account_has_none() {
        assertThat(user.get(ACTIVITY).text()).isEqualTo("{\"events\":[],\"nextCursor\":null}");
    }

    @Test
    void it_tells_what_happened_newest_first() {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TOO_MUCH);
        String request = agent.post(Client.PROPOSE, Expect.TRADE)
                .json()
                .get("serviceRequestId")
                .asText();
        user.post(APP + "requests/" + request + "/accept", "");
        String other = agent.post(Client.PROPOSE, Expect.TRADE)
                .json()
                .get("serviceRequestId")
                .asText();
        user.post(APP + "requests/" + other + "/reject", "{\"reason\":\"Not now\"}");

        assertThat(texts(user.get(ACTIVITY)))
                .containsExactly(
                        "You rejected request 2, to buy ETH for $100: Not now.",
                        "Robot asked to buy ETH for $100: allowed, request 2.",
                        "Filled: bought 0.04 ETH at $2,500 for $100, request 1.",
                        "You accepted request 1, to buy ETH for $100.",
                        "Robot asked to buy ETH for $100: allowed, request 1.",
                        "Robot checked whether it may buy ETH for $9,800.50: blocked, cash floor.",
                        "You minted the key Robot.",
                        "You set the policy, version 1.");
    }

    @Test
    void an_entry_has_what_the_console_filters_and_links_by() {
        Client agent = signedIn.agent();
        agent.post(Client.PROPOSE, Expect.TRADE);

        JsonNode entry = user.get(ACTIVITY).json().at("/events/0");

        assertThat(entry.get("seq").intValue()).isEqualTo(3);
        assertThat(entry.get("eventType").textValue()).isEqualTo("guardrail.decision");
        assertThat(entry.get("kind").textValue()).isEqualTo("propose");
        assertThat(entry.get("actor").textValue()).isEqualTo("agent");
        assertThat(entry.get("agentName").textValue()).isEqualTo("Robot");
        assertThat(entry.get("symbol").textValue()).isEqualTo("ETH");
        assertThat(entry.get("amountUsd").intValue()).isEqualTo(100);
        assertThat(entry.get("allowed").booleanValue()).isTrue();
        assertThat(entry.at("/serviceRequest/status").textValue()).isEqualTo("pending");
        assertThat(entry.get("hash").textValue()).hasSize(64);
    }

    @Test
    void a_proposal_that_only_an_approval_is_missing_for_names_the_rule_to_approve() {
        Client agent = signedIn.agent();
        user.put(
                APP + "ips",
                SignedIn.IPS.replaceFirst(
                        "\\{",
                        "{\"standingRules\":[{\"id\":\"big buys\",\"effect\":\"require_approval\",\"when\":{\"amountUsdAbove\":50}}],"));
        agent.post(Client.PROPOSE, Expect.TRADE);

        JsonNode entry = user.get(ACTIVITY).json().at("/events/0");

        assertThat(entry.get("text").textValue())
                .isEqualTo("Robot asked to buy ETH for $100: blocked, standing rule big buys needs your approval.");
        assertThat(entry.get("violations")).hasSize(1);
        assertThat(entry.at("/violations/0/rule").textValue()).isEqualTo("standing_rule_requires_approval");
        assertThat(entry.at("/violations/0/standingRuleId").textValue()).isEqualTo("big buys");
        assertThat(entry.at("/violations/0/ruleId").textValue()).isEqualTo("big buys");
    }

    @Test
    void each_change_is_told_in_words_of_its_own_also_where_the_one_before_it_is_not_listed() {
        signedIn.agent();
        String key = user.get(APP + "keys").json().at("/keys/0/agentKeyId").textValue();
        user.put(
                APP + "ips",
                SignedIn.IPS.replaceFirst(
                        "\\{", "{\"standingRules\":[{\"id\":\"big\",\"effect\":\"require_approval\"}],"));
        service.clock.advance(Duration.ofSeconds(1));
        user.post(APP + "pause", "");
        user.post(APP + "resume", "");
        user.post(
                APP + "approvals",
                "{\"ruleId\":\"big\",\"action\":\"buy\",\"symbol\":\"btc\",\"agentKeyId\":\"" + key
                        + "\",\"maxAmountUsd\":500,\"maxUses\":3,\"until\":\"2026-12-01T00:00:00Z\"}");
        patch(key, "{\"policy\":{\"dailyUsdCap\":500,\"allowedAssets\":[\"ETH\",\"BTC\"]}}");
        patch(key, "{\"paused\":true}");
        patch(key, "{\"paused\":false,\"name\":\"Trader\"}");

        assertThat(texts(user.get(ACTIVITY + "?from=2026-11-23T15:04:06.123456Z")))
                .containsExactly(
                        "You resumed the key Trader. You renamed Robot to Trader.",
                        "You paused the key Robot.",
                        "You set new caps for the key Robot: $500 a day (was any amount a day), BTC ETH (was any asset).",
                        "You approved buys of BTC by Trader of at most $500 under rule big, at most 3 times,"
                                + " until 2026-12-01 00:00 UTC, version 5.",
                        "You resumed all agents, version 4.",
                        "You paused all agents, version 3.");
        assertThat(texts(user.get(ACTIVITY + "?text=paused%20all"))).hasSize(1);
    }

    private void patch(String key, String body) {
        assertThat(user.patch(APP + "keys/" + key, body).status()).isEqualTo(200);
    }

    @Test
    void an_acceptance_that_was_not_executed_says_so_and_why_while_its_request_waits_again() {
        Client agent = signedIn.agent();
        user.put(
                APP + "custodians/main", SignedIn.CLOSED_BOOK.replace("\"isOpen\":false", "\"rejects\":[\"eth-usd\"]"));
        agent.post(Client.PROPOSE, Expect.TRADE);
        user.post(APP + "requests/1/accept", "");

        assertThat(texts(user.get(ACTIVITY)))
                .startsWith(
                        "You accepted request 1, to buy ETH for $100. It was not executed: My book rejects orders for"
                                + " ETH.");
        user.post(APP + "requests/1/reject", "{}");
        assertThat(texts(user.get(ACTIVITY)))
                .startsWith(
                        "You rejected request 1, to buy ETH for $100.",
                        "You accepted request 1, to buy ETH for $100. It was not executed.");
    }

    @Test
    void the_id_of_a_standing_rule_is_not_read_from_a_message() {
        Client agent = signedIn.agent();
        String id = "night blocks this trade";
        user.put(
                APP + "ips",
                SignedIn.IPS.replaceFirst("\\{", "{\"standingRules\":[{\"id\":\"" + id + "\",\"effect\":\"block\"}],"));

        JsonNode answer = agent.post(Client.VALIDATE, Expect.TRADE).json();
        JsonNode entry = user.get(ACTIVITY).json().at("/events/0");

        assertThat(answer.at("/violations/0/ruleId").textValue()).isEqualTo(id);
        assertThat(entry.at("/violations/0/standingRuleId").textValue()).isEqualTo(id);
        assertThat(entry.get("text").textValue()).endsWith(": blocked, standing rule " + id + ".");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            kinds=ips.created                       | 1
            kinds=key.minted,ips.created            | 2
            kinds=guardrail.decision                | 4
            kinds=guardrail.decision&allowed=false  | 1
            kinds=key.minted&allowed=true           | 0
            allowed=true                            | 3
            symbol=eth                              | 5
            symbol=eth-usd                          | 5
            symbol=BTC                              | 0
            rule=cash_floor                         | 1
            text=ROBOT%20ASKED                      | 2
            text=%240%25                            | 0
            text=accepted                           | 1
            from=2026-11-23T15:04:05.123456Z        | 7
            from=2030-01-01T00:00:00Z               | 0
            to=2026-11-23T15:04:05.123456Z          | 0
            to=2030-01-01T00:00:00Z                 | 7
            """)
    void it_is_filtered(String query, int found) {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TOO_MUCH);
        String request = agent.post(Client.PROPOSE, Expect.TRADE)
                .json()
                .get("serviceRequestId")
                .asText();
        user.post(APP + "requests/" + request + "/accept", "");
        agent.post(Client.PROPOSE, Expect.TRADE);

        assertThat(texts(user.get(ACTIVITY + "?" + query))).hasSize(found);
    }

    @Test
    void the_events_of_an_agent_are_its_decisions_its_key_and_the_fills_of_its_requests() {
        Client agent = signedIn.agent();
        String key = user.get(APP + "keys").json().at("/keys/0/agentKeyId").textValue();
        Client other = signedIn.agent();
        String request = agent.post(Client.PROPOSE, Expect.TRADE)
                .json()
                .get("serviceRequestId")
                .asText();
        user.post(APP + "requests/" + request + "/accept", "");
        other.post(Client.VALIDATE, Expect.TRADE);

        assertThat(texts(user.get(ACTIVITY + "?agentKeyId=" + key)))
                .containsExactly(
                        "Filled: bought 0.04 ETH at $2,500 for $100, request 1.",
                        "You accepted request 1, to buy ETH for $100.",
                        "Robot asked to buy ETH for $100: allowed, request 1.",
                        "You minted the key Robot.");
        assertThat(texts(user.get(ACTIVITY + "?allowed=true&agentKeyId=" + key)))
                .hasSize(2);
    }

    @Test
    void pages_follow_each_other_without_a_gap() {
        Client agent = signedIn.agent();
        for (int i = 0; i < 7; i++) {
            agent.post(Client.VALIDATE, Expect.TRADE);
        }
        List<Integer> seqs = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            JsonNode page = user.get(ACTIVITY + "?limit=2" + cursor).json();
            page.get("events").forEach(event -> seqs.add(event.get("seq").intValue()));
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? null : "&cursor=" + next.textValue();
        }

        assertThat(seqs).containsExactly(9, 8, 7, 6, 5, 4, 3, 2, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=201",
                "cursor=x",
                "cursor=0",
                "kinds=nothing",
                "kinds=",
                "kinds=key.minted,",
                "agentKeyId=me",
                "symbol=%24",
                "rule=any",
                "allowed=maybe",
                "text=",
                "from=yesterday",
                "to=tomorrow",
                "format=xml",
                "limit=1&limit=2"
            })
    void a_parameter_that_is_wrong_is_named(String query) {
        Seen refused = user.get(ACTIVITY + "?" + query);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("error").textValue()).isEqualTo("invalid_parameter");
        assertThat(refused.json().get("message").textValue()).startsWith(query.substring(0, query.indexOf('=')));
    }

    @Test
    void as_csv_it_has_every_event_that_fits_and_no_formula() {
        user.put(APP + "ips", SignedIn.IPS);
        user.post(APP + "keys", "{\"name\":\"=1+1, \\\"x\\\"\",\"keyType\":\"live\",\"scopes\":[\"validate\"]}");
        String key = user.post(APP + "keys", "{\"name\":\"=A1\",\"keyType\":\"live\",\"scopes\":[\"validate\"]}")
                .json()
                .get("key")
                .textValue();
        service.client().withKey(key).post(Client.VALIDATE, Expect.TRADE);

        Seen csv = user.get(ACTIVITY + "?format=csv&limit=1");
        Seen accepted = user.with("Accept", "text/csv").get(ACTIVITY + "?kinds=ips.created");

        assertThat(csv.status()).isEqualTo(200);
        assertThat(csv.header("Content-Type")).isEqualTo("text/csv;charset=utf-8");
        assertThat(csv.header("Content-Disposition")).contains("\"activity-2026-11-23.csv\"");
        List<String> lines = csv.text().lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).startsWith("seq,createdAt,eventType,text,");
        assertThat(lines.get(1)).contains(",\"'=A1 checked whether it may buy ETH for $100", ",'=A1,");
        assertThat(lines.get(3)).contains("\"You minted the key =1+1, \"\"x\"\".\"");
        assertThat(accepted.text().lines()).hasSize(2);
        for (String other : List.of("text/csv;q=0", "text/csv; Q=0.0, */*", "application/json, text/csv;q=0.5")) {
            assertThat(user.with("Accept", other).get(ACTIVITY).header("Content-Type"))
                    .isEqualTo("application/json");
        }
    }

    @Test
    void as_csv_a_trade_has_its_quantity_and_price_and_a_violation_its_numbers() {
        Client agent = signedIn.agent();
        agent.post(Client.VALIDATE, TOO_MUCH);
        agent.post(Client.PROPOSE, Expect.TRADE);
        user.post(APP + "requests/1/accept", "");

        List<String> lines = user.get(ACTIVITY + "?format=csv").text().lines().toList();

        assertThat(lines.get(0)).endsWith(",hash,quantity,price,limitPrice,limit,actual,zone");
        assertThat(lines.get(1)).contains("Filled: bought").endsWith(",0.04,2500,2525,,,UTC");
        assertThat(lines.get(4)).contains("blocked, cash floor").containsPattern(",,,,0.05,0[.0-9]*,UTC$");
    }

    @Test
    void head_is_answered_without_the_file() {
        user.put(APP + "ips", SignedIn.IPS);

        Seen head = user.send("HEAD", ACTIVITY + "?format=csv", BodyPublishers.noBody());

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).startsWith("text/csv");
    }

    private static List<String> texts(Seen seen) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        List<String> texts = new ArrayList<>();
        seen.json().get("events").forEach(event -> texts.add(event.get("text").textValue()));
        return texts;
    }
}
