package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs the corpus of decisions with known outcomes through this door: validate, and a batch of one. */
class CorpusTest {
    private static final Path CORPUS = Path.of("..", "policy-domain", "src", "test", "resources", "corpus");
    private static final String APP = "/api/app/v1/";
    private static final String LOGIN = "{\"email\":\"%s@example.org\",\"password\":\"correct horse battery\"}";

    @TestFactory
    Stream<DynamicTest> every_case_comes_out_as_expected() throws IOException {
        TestService service = new TestService();
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                JsonNode corpus = Client.json(Files.readString(file));
                for (JsonNode given : corpus.get("cases")) {
                    String name = corpus.get("title").textValue() + ": "
                            + given.get("name").textValue();
                    String user = "user" + tests.size();
                    tests.add(DynamicTest.dynamicTest(name, () -> check(service, user, given)));
                }
            }
        }
        assertThat(tests).isNotEmpty();
        return tests.stream().onClose(service::close);
    }

    private static void check(TestService service, String user, JsonNode given) {
        JsonNode expected = given.get("expected");
        Client agent = agent(service, user, given);
        String trade = given.get("trade").toString();

        JsonNode decision = agent.post(Client.VALIDATE, trade).json();
        JsonNode item =
                agent.post(Client.BATCH, "{\"trades\":[" + trade + "]}").json().at("/results/0/decision");

        assertThat(decision.get("allowed")).isEqualTo(expected.get("allowed"));
        if (decision.has("reason")) {
            assertThat(decision.get("reason")).isEqualTo(expected.get("reason"));
        }
        assertThat(violations(decision)).isEqualTo(violations(expected));
        assertThat(item.get("reason")).isEqualTo(expected.get("reason"));
        assertThat(violations(item)).isEqualTo(violations(expected));
    }

    private static Client agent(TestService service, String name, JsonNode given) {
        service.clock.set(given.has("now") ? Instant.parse(given.get("now").textValue()) : TestService.NOW);
        String login = LOGIN.formatted(name);
        service.client().post(APP + "users", login);
        String cookie = service.client().post(APP + "session", login).header("Set-Cookie");
        Client user = service.client().with("Cookie", cookie.substring(0, cookie.indexOf(';')));
        if (!given.get("ips").isNull()) {
            assertThat(user.put(APP + "ips", given.get("ips").toString()).status())
                    .isEqualTo(200);
        }
        for (JsonNode holdings : given.get("holdings")) {
            assertThat(user.put(APP + "custodians/paper", holdings.toString()).status())
                    .isEqualTo(200);
        }
        Seen key = user.post(
                APP + "keys",
                "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"validate\",\"propose\"],\"policy\":"
                        + given.get("keyPolicy") + "}");
        Client agent = service.client().withKey(key.json().get("key").textValue());
        for (JsonNode before : given.get("proposedBefore")) {
            assertThat(agent.post(Client.PROPOSE, before.toString())
                            .json()
                            .get("proposed")
                            .booleanValue())
                    .isTrue();
        }
        return agent;
    }

    /** Rule, limit and actual of each violation, numbers by value. */
    private static List<List<String>> violations(JsonNode decision) {
        List<List<String>> violations = new ArrayList<>();
        decision.get("violations")
                .forEach(violation -> violations.add(List.of(
                        violation.get("rule").textValue(), number(violation, "limit"), number(violation, "actual"))));
        return violations;
    }

    private static String number(JsonNode violation, String name) {
        return violation.has(name)
                ? violation.get(name).decimalValue().stripTrailingZeros().toPlainString()
                : "absent";
    }
}
