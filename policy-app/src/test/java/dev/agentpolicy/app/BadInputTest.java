package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Invalid input is refused with a message that says what is wrong, never with a 500. */
@OnEveryDatabase
class BadInputTest extends DatabaseTests {
    private static final List<String> GETS = List.of(
            API + "whoami",
            API + "mandate",
            API + "holdings",
            API + "audit",
            API + "policy/events",
            API + "usage",
            API + "signing-keys",
            APP + "me",
            APP + "ips",
            APP + "ips/versions",
            APP + "ips/versions/",
            APP + "portfolio",
            APP + "portfolio/history",
            APP + "keys",
            APP + "requests",
            APP + "requests/",
            APP + "audit",
            APP + "events",
            APP + "usage");
    private static final List<String> POSTS = List.of(
            API + "policy/validate",
            API + "policy/validate-batch",
            API + "trades/propose",
            AccessCaller.EVALUATION,
            AccessCaller.EVALUATIONS,
            APP + "ips/preview",
            APP + "ips/compare",
            APP + "ips/tests/run",
            APP + "ips/try",
            APP + "custodians/paper/trades",
            APP + "keys",
            APP + "requests/1/reject");
    private static final List<String> PUTS = List.of(APP + "ips", APP + "ips/tests", APP + "custodians/paper");
    private static final List<String> SCRAPS = List.of(
            "",
            "{}",
            "[]",
            "null",
            "true",
            "0",
            "-1",
            "1e999",
            "1E-400",
            "\"\"",
            "\"x\"",
            "{\"a\":{\"a\":1}}",
            "{\"a\":1,\"a\":2}",
            "{\"name\":\"a\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{\"dailyCallCap\":2147483648}}",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "99999999999999999999999999",
            "0.1234567890123456789",
            "[[[[]]]]",
            "\u001f",
            "\u007f",
            "\u00ff",
            "{",
            "}",
            ",");
    private static final List<String> PARAMETERS = List.of(
            "limit", "cursor", "eventType", "since", "order", "days", "agentKeyId", "allowed", "status", "from");
    private static final List<String> VALUES = List.of(
            "",
            "0",
            "-1",
            "501",
            "99999999999999999999",
            "abc",
            "%00",
            "%F0%9F%94%91",
            "%C3%28",
            "%FF",
            "2026-13-40T00:00:00Z",
            "0x1",
            "1;2",
            "9999-12-31T23:59:59.999999Z",
            "-999999999-01-01T00:00:00Z",
            "ASC",
            "null",
            "%27%20OR%201=1");

    /** The calls of one user are limited for a second. */
    private static final int OF_ONE_USER = 10;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void no_body_is_a_500() {
        List<Seen> answers = new ArrayList<>();
        List<String> bodies = new ArrayList<>(SCRAPS);
        for (int i = 0; i < 60; i++) {
            bodies.add(mutated());
        }
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();
        for (int i = 0; i < bodies.size(); i++) {
            String body = bodies.get(i);
            if (i % OF_ONE_USER == 0) {
                household = TestHousehold.withPolicy(node.caller());
            }
            TestHousehold owner = household;
            POSTS.forEach(path -> answers.add((path.startsWith(APP) ? owner.user() : agent).post(path, body)));
            PUTS.forEach(path -> answers.add(owner.user().put(path, body)));
        }

        assertThat(answers).describedAs("seed %d", seed).allSatisfy(BadInputTest::isNoServerError);
    }

    @Test
    void no_parameter_is_a_500() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();
        List<Seen> answers = new ArrayList<>();
        for (String path : GETS) {
            ApiCaller caller = path.startsWith(API) ? agent : household.user();
            for (int i = 0; i < 24; i++) {
                answers.add(caller.get(path + (path.endsWith("/") ? any(VALUES) : "") + "?" + any(PARAMETERS) + "="
                        + any(VALUES) + "&" + any(PARAMETERS) + "=" + any(VALUES)));
            }
        }

        assertThat(answers).describedAs("seed %d", seed).allSatisfy(BadInputTest::isNoServerError);
    }

    @Test
    void no_header_is_a_500() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        ApiCaller agent = household.agent();
        String trade = TestHousehold.trade("buy", "SPY", "tradfi", "1");

        List<Seen> answers = List.of(
                node.caller().with("Authorization", "Bearer").get(API + "whoami"),
                node.caller()
                        .with("Authorization", "Bearer " + "x".repeat(4_000))
                        .get(API + "whoami"),
                node.caller().with("Authorization", "Basic eDp5").get(API + "whoami"),
                node.caller()
                        .with("Cookie", "policy_session=" + "x".repeat(4_000))
                        .get(APP + "me"),
                agent.with("Idempotency-Key", "").post(API + "trades/propose", trade),
                agent.with("Idempotency-Key", "k".repeat(129)).post(API + "trades/propose", trade),
                agent.with("X-Request-Id", "<script>").post(API + "policy/validate", trade),
                agent.with("Content-Type", "text/plain").send("POST", API + "policy/validate", trade),
                agent.send("POST", API + "policy/validate", trade),
                agent.with("Accept-Encoding", "br;q=banana").get(API + "whoami"),
                agent.with("Content-Type", "application/json").send("PATCH", API + "policy/validate", trade));

        assertThat(answers).allSatisfy(BadInputTest::isNoServerError);
    }

    private static void isNoServerError(Seen seen) {
        assertThat(seen.status()).describedAs(seen.text()).isLessThan(500);
        if (seen.status() >= 400 && seen.header("Content-Type").startsWith("application/json")) {
            assertThat(seen.json().path("error").textValue())
                    .describedAs(seen.text())
                    .isNotBlank();
            assertThat(seen.json().path("message").textValue())
                    .describedAs(seen.text())
                    .isNotBlank();
        }
    }

    /** A body that was right once. */
    private String mutated() {
        List<String> right = List.of(
                TestHousehold.trade("buy", "SPY", "tradfi", "1000"),
                "{\"trades\":[" + TestHousehold.trade("sell", "BTC", "crypto", "0.5") + "]}",
                "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{\"dailyCallCap\":5}}",
                TestHousehold.demo("ips.json"),
                TestHousehold.demo("holdings.json"));
        StringBuilder body = new StringBuilder(any(right));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            int place = random.nextInt(body.length());
            switch (random.nextInt(3)) {
                case 0 -> body.deleteCharAt(place);
                case 1 -> body.insert(place, any(SCRAPS));
                default -> body.setCharAt(place, (char) (32 + random.nextInt(96)));
            }
        }
        return body.toString();
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
