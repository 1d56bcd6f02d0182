package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The judge lets pass what is described and nothing else. */
class OpenApiDocumentTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final String VALIDATE = "/api/agent/v1/policy/validate";
    private static final String PROPOSE = "/api/agent/v1/trades/propose";
    private static final String EVENTS = "/api/agent/v1/policy/events";

    @ParameterizedTest
    @MethodSource("describedAnswers")
    void an_answer_as_described_passes(Exchange answer) {
        assertThat(DOCUMENT.problems(answer)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("answersWithMembers")
    void an_answer_with_a_member_more_or_less_does_not_pass(Exchange answer) {
        JsonNode more = Json.read(answer.body());
        JsonNode less = Json.read(answer.body());
        ((ObjectNode) (more.isArray() ? more.get(0) : more)).put("surprise", 1);
        ObjectNode stripped = (ObjectNode) (less.isArray() ? less.get(0) : less);
        stripped.remove(stripped.propertyNames().iterator().next());

        assertThat(DOCUMENT.problems(with(answer, more.toString()))).isNotEmpty();
        assertThat(DOCUMENT.problems(with(answer, less.toString()))).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("describedAnswers")
    void an_answer_without_one_of_its_headers_does_not_pass(Exchange answer) {
        for (String name : answer.headers().keySet()) {
            Map<String, List<String>> headers = new HashMap<>(answer.headers());
            headers.remove(name);
            Exchange without = new Exchange(answer.method(), answer.path(), answer.status(), headers, answer.body());

            boolean isOptional = name.startsWith("X-Policy-Event") || name.equals("X-Service-Sandbox");
            assertThat(DOCUMENT.problems(without).isEmpty()).as(name).isEqualTo(isOptional);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST | /api/agent/v1/policy/validate | 200 | allowed  | /allowed         | false
            POST | /api/agent/v1/policy/validate | 200 | allowed  | /checkedAt       | "2026-11-21T09:41:12Z"
            POST | /api/agent/v1/policy/validate | 200 | allowed  | /ipsVersion      | "1"
            POST | /api/agent/v1/policy/validate | 200 | blocked  | /violations      | []
            POST | /api/agent/v1/policy/validate | 200 | blocked  | /violations/0/rule | "made_up"
            POST | /api/agent/v1/policy/validate | 200 | blocked  | /snapshot/cashPct | 10
            POST | /api/agent/v1/policy/validate | 400 | trade    | /allowed         | true
            POST | /api/agent/v1/policy/validate | 400 | trade    | /violations/0/limit | 1
            POST | /api/agent/v1/policy/validate | 429 | dailyCallCap | /error       | "rate_limit_exceeded"
            POST | /api/agent/v1/trades/propose  | 200 | created  | /decision/allowed | false
            POST | /api/agent/v1/trades/propose  | 200 | blocked  | /proposed        | true
            POST | /api/agent/v1/trades/propose  | 200 | replayed | /idempotent      | false
            GET  | /api/agent/v1/mandate         | 200 | noIps    | /hasIps          | true
            GET  | /api/agent/v1/mandate         | 200 | mandate  | /limits          | null
            GET  | /api/agent/v1/holdings        | 200 | holdings | /custodians/0/cash | 10000
            GET  | /api/agent/v1/policy/events   | 200 | firstPage | /events/0/eventType | "ips.amended"
            GET  | /api/agent/v1/policy/events   | 200 | firstPage | /events/0/payload/document/cashFloor | 0.05
            GET  | /api/agent/v1/policy/events   | 200 | firstPage | /events/1/createdAt | null
            GET  | /api/agent/v1/policy/events   | 200 | decisions | /events/0/hash   | "ABC"
            GET  | /api/agent/v1/signing-keys    | 200 | manifest | /keys/0/revokedAt | "2026-11-21T10:00:00.000000Z"
            GET  | /api/agent/v1/usage           | 200 | twoDays  | /series/0/day    | "yesterday"
            GET  | /api/agent/v1/whoami          | 401 | unauthorized | /error       | "forbidden"
            GET  | /api/agent/v1/whoami          | 401 | unauthorized | /requestId   | "another"
            """)
    void an_answer_with_one_value_changed_does_not_pass(
            String method, String path, int status, String example, String place, String value) {
        Exchange answer = answer(DOCUMENT.operation(method, path).orElseThrow(), status, example);
        JsonNode changed = Json.read(answer.body());
        int end = place.lastIndexOf('/');
        ((ObjectNode) changed.at(place.substring(0, end))).set(place.substring(end + 1), Json.read(value));

        assertThat(DOCUMENT.problems(answer)).isEmpty();
        assertThat(DOCUMENT.problems(with(answer, changed.toString()))).isNotEmpty();
    }

    @Test
    void a_status_a_content_type_or_text_that_is_not_described_does_not_pass() {
        Exchange answer = answer(DOCUMENT.operation("POST", VALIDATE).orElseThrow(), 200, "allowed");
        Map<String, List<String>> asText = new HashMap<>(answer.headers());
        asText.put("Content-Type", List.of("text/plain"));

        assertThat(DOCUMENT.problems(new Exchange("POST", VALIDATE, 201, answer.headers(), answer.body())))
                .containsExactly("Status 201 is not described.");
        assertThat(DOCUMENT.problems(new Exchange("POST", VALIDATE, 200, asText, answer.body())))
                .containsExactly("Content-Type is [text/plain] and not application/json.");
        assertThat(DOCUMENT.problems(with(answer, "{\"allowed\":true,\"allowed\":true}")))
                .singleElement()
                .asString()
                .startsWith("Body is not JSON: Duplicate");
        assertThatThrownBy(() -> DOCUMENT.require(with(answer, "")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("POST " + VALIDATE + " answered 200 not as docs/openapi.json describes");
    }

    @Test
    void a_header_that_is_repeated_or_no_number_does_not_pass() {
        Exchange answer = answer(DOCUMENT.operation("POST", VALIDATE).orElseThrow(), 200, "allowed");
        for (List<String> values : List.of(List.of("50", "50"), List.of("many"), List.of("0"))) {
            Map<String, List<String>> headers = new HashMap<>(answer.headers());
            headers.put("X-RateLimit-Limit", values);

            assertThat(DOCUMENT.problems(new Exchange("POST", VALIDATE, 200, headers, answer.body())))
                    .singleElement()
                    .asString()
                    .startsWith("Header X-RateLimit-Limit");
        }
    }

    @Test
    void an_unknown_path_answers_404_and_a_wrong_method_405() {
        Exchange notFound = to("GET", VALIDATE, outside(404, "notFound"));
        Exchange notAllowed = answer(DOCUMENT.operation("POST", VALIDATE).orElseThrow(), 405, "methodNotAllowed");

        assertThat(DOCUMENT.problems(to("GET", "/api/agent/v1/nothing?here=1", notFound)))
                .isEmpty();
        assertThat(DOCUMENT.problems(to("DELETE", VALIDATE, notAllowed))).isEmpty();
        assertThat(DOCUMENT.problems(to("DELETE", VALIDATE, notFound))).isNotEmpty();
        assertThat(DOCUMENT.problems(to("GET", "/api/agent/v1/nothing", notAllowed)))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  | {"action":"buy","assetSymbol":"BRK.B","assetType":"tradfi","amountUsd":0}
            true  | {"action":"sell","assetSymbol":"a/b-c_1","assetType":"crypto","amountUsd":1e12,"expectedSlippagePct":100}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi"}
            false | {"action":"hold","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1}
            false | {"action":"buy","assetSymbol":"S PY","assetType":"tradfi","amountUsd":1}
            false | {"action":"buy","assetSymbol":"","assetType":"tradfi","amountUsd":1}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"bonds","amountUsd":1}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":-0.01}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":"1"}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1000000000000.01}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1,"expectedSlippagePct":100.1}
            false | {"action":"buy","assetSymbol":"SPY","assetType":"tradfi","amountUsd":1,"rationale":"why"}
            false | []
            false | {
            """)
    void a_trade_is_described_by_its_limits(boolean isRight, String body) {
        assertThat(DOCUMENT.requestProblems("POST", VALIDATE, body).isEmpty()).isEqualTo(isRight);
    }

    @ParameterizedTest
    @CsvSource({"500, x, true", "501, x, false", "1, \t, false", "0, x, true"})
    void a_rationale_is_short_and_plain(int times, String character, boolean isRight) {
        String rationale = (character == null ? "\t" : character).repeat(times).replace("\t", "\\t");
        String body = "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1,"
                + "\"rationale\":\"" + rationale + "\"}";

        assertThat(DOCUMENT.requestProblems("POST", PROPOSE, body).isEmpty()).isEqualTo(isRight);
    }

    @Test
    void only_an_operation_with_a_body_takes_one() {
        assertThat(DOCUMENT.requestProblems("GET", EVENTS, "")).isEmpty();
        assertThat(DOCUMENT.requestProblems("GET", EVENTS, "{}")).containsExactly("There should be no body.");
        assertThatThrownBy(() -> DOCUMENT.requestProblems("PUT", EVENTS, "{}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Every example of every answer, with the examples of its headers. */
    static Stream<Exchange> describedAnswers() {
        List<Exchange> answers = new ArrayList<>();
        for (Operation operation : DOCUMENT.operations()) {
            operation.node().get("responses").properties().forEach(entry -> {
                int status = Integer.parseInt(entry.getKey());
                JsonNode examples = DOCUMENT.resolve(entry.getValue()).at("/content/application~1json/examples");
                examples.propertyNames().forEach(name -> answers.add(answer(operation, status, name)));
            });
        }
        return answers.stream();
    }

    /** Without empty lists, and without the description in the description, which is open. */
    static Stream<Exchange> answersWithMembers() {
        return describedAnswers()
                .filter(answer -> !answer.body().equals("[]"))
                .filter(answer -> answer.status() != 200 || !answer.path().endsWith("openapi.json"));
    }

    static Exchange answer(Operation operation, int status, String example) {
        return answer(operation.method(), operation.path(), status, operation.response(status), example);
    }

    /** What an agent is answered whose call is of no operation. */
    private static Exchange outside(int status, String example) {
        JsonNode responses = DOCUMENT.root().path("x-outside-operations").path("/api/agent/");
        return answer("GET", "/api/agent/v1/nothing", status, responses.get(Integer.toString(status)), example);
    }

    private static Exchange answer(String method, String path, int status, JsonNode described, String example) {
        JsonNode response = DOCUMENT.resolve(described);
        Map<String, List<String>> headers = new HashMap<>(Map.of("Content-Type", List.of("application/json")));
        response.path("headers").properties().forEach(header -> {
            String value = DOCUMENT.resolve(header.getValue()).get("example").asString();
            headers.put(header.getKey(), List.of(value));
        });
        String body = response.at("/content/application~1json/examples/" + example + "/value")
                .toString();
        return new Exchange(method, path, status, headers, body);
    }

    private static Exchange with(Exchange answer, String body) {
        return new Exchange(answer.method(), answer.path(), answer.status(), answer.headers(), body);
    }

    private static Exchange to(String method, String path, Exchange answer) {
        return new Exchange(method, path, answer.status(), answer.headers(), answer.body());
    }
}
