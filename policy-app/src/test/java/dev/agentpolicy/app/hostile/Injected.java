package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.TestHousehold;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A user and an agent that send text in bodies, headers and paths, and read it back. */
final class Injected {
    /** Texts with a meaning in SQL, logs, terminals, templates or HTML. */
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

    /** Method, path and body, or the one member of the statement, with text where a word or a number is to be. */
    static final List<String> WORDS = List.of(
            "PUT ips \"allowedActions\":[%s]",
            "PUT ips \"assetAuthority\":{\"default\":%s}",
            "PUT ips \"assetAuthority\":{\"assets\":{\"BTC\":%s}}",
            "PUT ips \"standingRules\":[{\"id\":\"r\",\"effect\":%s,\"when\":{}}]",
            "PUT ips \"standingRules\":[{\"id\":\"r\",\"effect\":\"block\",\"when\":{\"actions\":[%s]}}]",
            "PUT ips \"standingRules\":[{\"id\":\"r\",\"effect\":\"block\",\"when\":{\"assetTypes\":[%s]}}]",
            "PUT ips \"standingRules\":[{\"id\":\"r\",\"effect\":\"block\",\"when\":{\"daysOfWeek\":[%s]}}]",
            "PUT ips \"standingRules\":[{\"id\":\"r\",\"effect\":\"block\",\"when\":"
                    + "{\"hours\":{\"start\":1,\"end\":2,\"tz\":%s}}}]",
            "PUT ips %s:1",
            "POST keys {\"name\":\"k\",\"keyType\":%s,\"scopes\":[\"read\"],\"policy\":{}}",
            "POST keys {\"name\":\"k\",\"keyType\":\"live\",\"scopes\":[%s],\"policy\":{}}",
            "POST keys {\"name\":\"k\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{\"allowedAssetTypes\":[%s]}}",
            "PUT custodians/words {\"name\":\"w\",\"kind\":%s,\"cash\":1,\"positions\":[]}",
            "PUT custodians/words {\"name\":\"w\",\"kind\":\"paper\",\"cash\":%s,\"positions\":[]}",
            "PUT custodians/words " + custodianWith("%s", "1", "1"),
            "PUT custodians/words " + custodianWith("\"crypto\"", "%s", "1"),
            "PUT custodians/words " + custodianWith("\"crypto\"", "1", "%s"),
            "POST custodians/paper/trades " + ownTrade("%s", "\"crypto\"", "1", "1"),
            "POST custodians/paper/trades " + ownTrade("\"buy\"", "%s", "1", "1"),
            "POST custodians/paper/trades " + ownTrade("\"buy\"", "\"crypto\"", "%s", "1"),
            "POST custodians/paper/trades " + ownTrade("\"buy\"", "\"crypto\"", "1", "%s"));

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final int USERS = 32;

    final ApiCaller user;
    final ApiCaller agent;
    final String key;
    /** Of several users, since one may make 40 calls a second. */
    private final List<String> cookies;

    private int asked;
    private final String address;

    Injected(String address) {
        this.address = address;
        TestHousehold household = TestHousehold.withPolicy(new ApiCaller(address));
        JsonNode minted = household.mint("live");
        this.user = household.user();
        this.agent = household.agent(minted);
        this.key = minted.get("key").textValue();
        this.cookies = Stream.generate(() -> TestHousehold.withPolicy(new ApiCaller(address)))
                .limit(USERS)
                .map(TestHousehold::signInAgain)
                .toList();
    }

    private static String custodianWith(String type, String quantity, String price) {
        return "{\"name\":\"w\",\"kind\":\"paper\",\"cash\":1,\"positions\":[{\"symbol\":\"BTC\",\"assetType\":" + type
                + ",\"quantity\":" + quantity + ",\"price\":" + price + "}]}";
    }

    private static String ownTrade(String action, String type, String quantity, String price) {
        return "{\"action\":" + action + ",\"symbol\":\"BTC\",\"assetType\":" + type + ",\"quantity\":" + quantity
                + ",\"price\":" + price + "}";
    }

    /** What its own reading says of what was sent, when it was taken; else it was refused. */
    static void keptOrRefused(String text, Seen seen, Function<JsonNode, JsonNode> reading) {
        if (seen.status() / 100 == 2) {
            assertThat(reading.apply(seen.json()).textValue()).isEqualTo(text);
        } else {
            refused(seen, 400);
        }
    }

    static void refused(Seen seen, int status) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(status);
        assertThat(seen.json().path(status == 200 ? "reason" : "message").textValue())
                .isNotBlank();
    }

    static String json(String text) {
        try {
            return JSON.writeValueAsString(text);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** As it stands in a path or a query. */
    static String coded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** What of a text can stand in one line of a head. */
    static String inOneLine(String text) {
        return text.codePoints()
                .filter(c -> c < 0x100 && c != '\r' && c != '\n' && c != 0)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The statement of the demonstration with some of its members replaced; text in it may be of any kind. */
    static String statement(String changes) {
        try {
            ObjectNode statement = (ObjectNode) JSON.readTree(TestHousehold.demo("ips.json"));
            statement.setAll((ObjectNode) JSON.readTree("{" + changes + "}"));
            return statement.toString();
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Puts a statement, and tells of what is in force then. */
    void putStatement(String kept, String changes, Function<JsonNode, JsonNode> reading) {
        keptOrRefused(
                kept,
                user.put(APP + "ips", statement(changes)),
                put -> reading.apply(user.get(APP + "ips").ok().json()));
    }

    JsonNode custodian(String id) {
        return user.get(APP + "portfolio").ok().json().at("/custodians").findParents("id").stream()
                .filter(custodian -> custodian.get("id").textValue().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** The key as the list of keys tells of it. */
    JsonNode keyOf(JsonNode minted) {
        return user.get(APP + "keys").ok().json().at("/keys").findParents("agentKeyId").stream()
                .filter(listed -> listed.get("agentKeyId").equals(minted.get("agentKeyId")))
                .findFirst()
                .orElseThrow();
    }

    /** One request by its first line, with headers beside {@code Host} and those that say who asks. */
    RawAnswer ask(String line, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(line).append(" HTTP/1.1\r\n");
        for (String standard : List.of(
                "Host: localhost",
                "Authorization: Bearer " + key,
                "Cookie: " + cookies.get(asked++ % USERS),
                "Content-Type: application/json",
                "Content-Length: " + body.length())) {
            String name = standard.substring(0, standard.indexOf(':') + 1);
            if (List.of(headers).stream().noneMatch(header -> header.startsWith(name))) {
                head.append(standard).append("\r\n");
            }
        }
        head.append(String.join("\r\n", headers)).append(headers.length == 0 ? "\r\n" : "\r\n\r\n");
        try (RawConnection wire = new RawConnection(address)) {
            wire.send(head + body);
            RawAnswer answer = wire.answer(false).orElseThrow();
            assertThat(answer.indecency()).as("%s\n%s", head, answer).isEmpty();
            if (!answer.body().startsWith("{\"error\":\"bad_request\"")) {
                answer.requireDescribed(head.toString());
            }
            return answer;
        }
    }
}
