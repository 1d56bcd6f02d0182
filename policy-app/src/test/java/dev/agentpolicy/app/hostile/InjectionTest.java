package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.Household.API;
import static dev.agentpolicy.app.Household.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.app.Caller;
import dev.agentpolicy.app.Caller.Seen;
import dev.agentpolicy.app.Household;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Text that means something to a database, a log, a terminal, a template or a page is text here: kept as it is, or refused. */
@ExtendWith(Target.Shared.class)
class InjectionTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String TRADE = Household.trade("buy", "SPY", "tradfi", "1");

    static final List<String> TEXTS = List.of(
            "'; DROP TABLE account; --",
            "x' OR '1'='1",
            "\" OR \"\"=\"",
            "1); SELECT pg_sleep(5); --",
            "%' UNION SELECT secret FROM agent_key --",
            "\\'; --",
            "${jndi:ldap://127.0.0.1:1/x} #{7*7} {{7*7}} %n%s%x",
            "<script>alert(1)</script>&amp;\"'",
            "=cmd|' /C calc'!A0",
            "../../../../etc/passwd",
            "a\r\n2026-11-21T00:00:00.000Z ERROR Ledger: forged",
            "\u001b[2J\u001b]0;owned\u0007",
            "zero\u0000byte",
            "\u202egnp.exe \u200b\u2028line",
            "\u0085next \u009b31m",
            "key \ud83d\udd11 \u00e9\u0301 \ufffd \uffff");

    private static Target target;
    private static Household household;
    private static Caller user;
    private static Caller agent;
    private static String key;

    @BeforeAll
    static void move(Target running) {
        target = running;
        household = Household.withPolicy(new Caller(target.address));
        user = household.user();
        JsonNode minted = household.mint("live");
        agent = household.agent(minted);
        key = minted.get("key").textValue();
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_name_of_a_key(String text) {
        String body = "{\"name\":" + json(text) + ",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{}}";

        keptOrRefused(text, user.post(APP + "keys", body), minted -> {
            JsonNode all = user.get(APP + "keys").ok().json();
            return all.at("/keys").findParents("name").stream()
                    .filter(key -> key.get("agentKeyId").equals(minted.get("agentKeyId")))
                    .findFirst()
                    .orElseThrow()
                    .get("name");
        });
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_name_of_a_custodian(String text) {
        String body = "{\"name\":" + json(text) + ",\"kind\":\"paper\",\"cash\":0,\"positions\":[]}";

        keptOrRefused(
                text,
                user.put(APP + "custodians/injected", body),
                after -> user.get(APP + "portfolio").ok().json().at("/custodians").findParents("id").stream()
                        .filter(custodian -> custodian.get("id").textValue().equals("injected"))
                        .findFirst()
                        .orElseThrow()
                        .get("name"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_reason_of_a_standing_rule(String text) {
        String ips = Household.demo("ips.json")
                .replaceFirst(
                        "(?s)\"standingRules\"\\s*:\\s*\\[.*?\\n  ]",
                        Matcher.quoteReplacement("\"standingRules\":[{\"id\":\"r\",\"effect\":\"block\",\"reason\":"
                                + json(text) + ",\"when\":{\"symbols\":[\"NONE\"]}}]"));

        keptOrRefused(
                text,
                user.put(APP + "ips", ips),
                put -> user.get(APP + "ips").ok().json().at("/standingRules/0/reason"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_rationale_and_the_reason_of_a_rejection(String text) {
        String trade = TRADE.replace("}", ",\"rationale\":" + json(text) + "}");
        keptOrRefused(
                text,
                agent.post(API + "trades/propose", trade),
                proposed -> user.get(APP + "requests/" + proposed.get("serviceRequestId"))
                        .ok()
                        .json()
                        .get("rationale"));

        JsonNode id = agent.post(API + "trades/propose", TRADE).ok().json().get("serviceRequestId");
        keptOrRefused(
                text,
                user.post(APP + "requests/" + id + "/reject", "{\"reason\":" + json(text) + "}"),
                rejected -> user.get(APP + "requests/" + id).ok().json().get("reason"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_symbol_a_word_or_a_name_of_a_field(String text) {
        for (String field : List.of("assetSymbol", "action", "assetType")) {
            String trade = TRADE.replaceFirst("(\"" + field + "\":)\"[^\"]*\"", "$1" + quoted(json(text)));
            boolean isSymbol = field.equals("assetSymbol") && text.matches("[A-Za-z0-9.\\-/_]{1,32}");
            refused(agent.post(API + "policy/validate", trade), isSymbol ? 200 : 400);
        }
        refused(agent.post(API + "policy/validate", TRADE.replace("}", "," + json(text) + ":1}")), 400);
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void an_address_of_mail(String text) {
        String email = text + "@example.com";
        String login = "{\"email\":" + json(email) + ",\"password\":\"correct horse battery\"}";
        Caller stranger = new Caller(target.address);

        Seen seen = stranger.post(APP + "users", login);

        if (seen.status() == 201) {
            JsonNode me = stranger.post(APP + "session", login).ok().json();
            assertThat(me.get("email").textValue()).isEqualTo(email.toLowerCase(Locale.ROOT));
        } else {
            refused(seen, 400);
            refused(stranger.post(APP + "session", login), 400);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_header_a_parameter_or_a_part_of_a_path(String text) throws Exception {
        String value = text.codePoints()
                .filter(c -> c < 0x100 && c != '\r' && c != '\n' && c != 0)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        String coded = URLEncoder.encode(text, StandardCharsets.UTF_8);
        for (String line : List.of(
                "GET " + APP + "requests?cursor=" + coded,
                "GET " + APP + "requests/" + coded,
                "GET " + APP + "events?cursor=" + coded,
                "GET " + APP + "audit?agentKeyId=" + coded,
                "DELETE " + APP + "keys/" + coded)) {
            try (Wire wire = new Wire(target.address)) {
                wire.send(line + " HTTP/1.1\r\nHost: localhost\r\nCookie: " + household.cookie() + "\r\nX-Request-Id: "
                        + value + "\r\n\r\n");
                Answer answer = wire.answer(false).orElseThrow();
                assertThat(answer.indecency()).isEmpty();
                assertThat(answer.status()).isIn(400, 404);
            }
        }
        assertThat(twice(value)).isIn(List.of(200, 200), List.of(400, 400));
    }

    /** The same proposal under one Idempotency-Key, whatever it is: answered with the same request, or refused, twice. */
    private List<Integer> twice(String idempotencyKey) throws Exception {
        String request = "POST " + API + "trades/propose HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + key
                + "\r\nContent-Type: application/json\r\nIdempotency-Key: " + idempotencyKey + "\r\nContent-Length: "
                + TRADE.length() + "\r\n\r\n" + TRADE;
        try (Wire one = new Wire(target.address);
                Wire two = new Wire(target.address)) {
            one.send(request);
            Answer first = one.answer(false).orElseThrow();
            two.send(request);
            Answer second = two.answer(false).orElseThrow();
            assertThat(second.indecency() + first.indecency()).isEmpty();
            assertThat(second.json().path("serviceRequestId"))
                    .isEqualTo(first.json().path("serviceRequestId"));
            return List.of(first.status(), second.status());
        }
    }

    @Test
    void leave_no_trace_in_the_log_and_every_table_where_it_was() throws Exception {
        target.requireUnharmed();
    }

    private static void keptOrRefused(String text, Seen seen, Function<JsonNode, JsonNode> reading) {
        if (seen.status() / 100 == 2) {
            assertThat(reading.apply(seen.json()).textValue()).isEqualTo(text);
        } else {
            refused(seen, 400);
        }
    }

    private static void refused(Seen seen, int status) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(status);
        assertThat(seen.json().path(status == 200 ? "reason" : "message").textValue())
                .isNotBlank();
    }

    private static String json(String text) {
        try {
            return JSON.writeValueAsString(text);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String quoted(String text) {
        return Matcher.quoteReplacement(text);
    }
}
