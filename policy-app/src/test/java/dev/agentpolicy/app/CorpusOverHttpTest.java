package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of the domain's corpus come out the same over HTTP, alone and in a batch; its README says what they are. */
class CorpusOverHttpTest {
    private static final Path CORPUS = Path.of("../policy-domain/src/test/resources/corpus");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static ServiceNode node;

    @BeforeAll
    static void start(@TempDir Path folder) {
        node = ServiceNode.start(folder, Database.H2.fresh(folder));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** A case, named as it is in its file. */
    record Case(String name, JsonNode content) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case> cases_that_do_not_depend_on_the_clock() throws IOException {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files
                    .filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .flatMap(CorpusOverHttpTest::cases)
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases_that_do_not_depend_on_the_clock")
    void a_case_of_the_corpus_comes_out_as_expected(Case it) {
        JsonNode content = it.content();
        TestHousehold household = TestHousehold.signUp(node.caller());
        if (!content.get("ips").isNull()) {
            household
                    .user()
                    .put(TestHousehold.APP + "ips", content.get("ips").toString())
                    .ok();
        }
        content.get("holdings")
                .forEach(held -> household
                        .user()
                        .put(TestHousehold.APP + "custodians/paper", held.toString())
                        .ok());
        ApiCaller agent = household.agent(household.mint(
                "live",
                "\"read\",\"validate\",\"propose\"",
                content.get("keyPolicy").toString()));
        content.get("proposedBefore")
                .forEach(trade -> assertThat(agent.post(TestHousehold.API + "trades/propose", trade.toString())
                                .ok()
                                .json()
                                .get("proposed")
                                .booleanValue())
                        .isTrue());

        String trade = content.get("trade").toString();
        Seen answer = agent.post(TestHousehold.API + "policy/validate", trade);
        JsonNode item = agent.post(TestHousehold.API + "policy/validate-batch", "{\"trades\":[" + trade + "]}")
                .json()
                .at("/results/0/decision");

        JsonNode expected = content.get("expected");
        assertThat(violations(answer.json())).isEqualTo(violations(expected));
        assertThat(answer.json().get("allowed")).isEqualTo(expected.get("allowed"));
        boolean isReadable = expected.has("status")
                || !expected.get("violations").findValuesAsText("rule").contains("invalid_payload");
        assertThat(answer.status()).isEqualTo(isReadable ? 200 : 400);
        if (isReadable) {
            assertThat(answer.json().get("reason")).isEqualTo(expected.get("reason"));
        }
        assertThat(violations(item)).isEqualTo(violations(expected));
        assertThat(item.get("reason")).isEqualTo(expected.get("reason"));
    }

    /** Rule, limit and actual of each, numbers by value. */
    private static List<String> violations(JsonNode decision) {
        List<String> violations = new ArrayList<>();
        decision.get("violations")
                .forEach(each -> violations.add(
                        each.get("rule").textValue() + " " + number(each, "limit") + " " + number(each, "actual")));
        return violations;
    }

    private static String number(JsonNode violation, String name) {
        JsonNode number = violation.get(name);
        BigDecimal value = number == null ? null : number.decimalValue();
        return value == null ? "-" : value.stripTrailingZeros().toPlainString();
    }

    private static Stream<Case> cases(Path file) {
        try {
            JsonNode cases = JSON.readTree(Files.readString(file)).get("cases");
            return StreamSupport.stream(cases.spliterator(), false)
                    .filter(content -> !content.has("now"))
                    .map(content -> new Case(content.get("name").textValue(), content));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
