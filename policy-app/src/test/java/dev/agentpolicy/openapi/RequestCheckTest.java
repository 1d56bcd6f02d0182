package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was sent is judged too: right must be accepted, wrong must be refused. */
class RequestCheckTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final String VALIDATE = "/api/agent/v1/policy/validate";
    private static final String AUDIT = "/api/agent/v1/audit";
    private static final String RIGHT =
            "{\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":1,\"expectedSlippagePct\":null}";
    private static final String WRONG = RIGHT.replace("buy", "hold");

    private final Exchange accepted = answer("POST", VALIDATE, 200, "allowed");
    private final Exchange refused = answer("POST", VALIDATE, 400, "trade");

    @Test
    void a_body_is_accepted_when_it_is_right_and_refused_when_it_is_wrong() {
        assertThat(DOCUMENT.problems(to(accepted, VALIDATE, RIGHT))).isEmpty();
        assertThat(DOCUMENT.problems(to(refused, VALIDATE, WRONG))).isEmpty();
        assertThat(DOCUMENT.problems(to(accepted, VALIDATE, WRONG)))
                .singleElement()
                .asString()
                .startsWith("The body was accepted");
        assertThat(DOCUMENT.problems(to(refused, VALIDATE, RIGHT)))
                .containsExactly("The body was refused and is right by the description.");
    }

    @Test
    void rules_that_no_schema_can_say_are_left_to_words() {
        String fine = RIGHT.replace(":1,", ":0.123456789,");
        String message = refused.body().replace("be a number from 0 to 1000000000000", "have at most 8 decimals");

        assertThat(message).isNotEqualTo(refused.body());
        assertThat(DOCUMENT.problems(
                        to(new Exchange("POST", VALIDATE, 400, refused.headers(), message), VALIDATE, fine)))
                .isEmpty();
    }

    @Test
    void a_parameter_is_accepted_when_it_is_right_and_refused_when_it_is_wrong() {
        Exchange given = answer("GET", AUDIT, 200, firstExample());
        Exchange wrong = answer("GET", AUDIT, 400, "limit");

        assertThat(DOCUMENT.problems(to(given, AUDIT + "?limit=100&since=2026-11-21T10:00:00%2B01:00", "")))
                .isEmpty();
        assertThat(DOCUMENT.problems(to(wrong, AUDIT + "?limit=101", ""))).isEmpty();
        assertThat(DOCUMENT.problems(to(given, AUDIT + "?limit=1&limit=2", "")))
                .containsExactly("Parameter limit was accepted: [1, 2]");
        assertThat(DOCUMENT.problems(to(given, AUDIT + "?since=%zz", ""))).hasSize(1);
        assertThat(DOCUMENT.problems(to(wrong, AUDIT + "?limit=7", "")))
                .containsExactly("Parameter limit was refused: [7]");
    }

    @Test
    void answers_to_test_keys_and_no_others_are_marked() {
        Map<String, List<String>> unmarked = new HashMap<>(accepted.headers());
        unmarked.keySet().removeIf(name -> name.equals("X-Service-Sandbox"));

        assertThat(DOCUMENT.problems(by("svc_test_0", accepted.headers()))).isEmpty();
        assertThat(DOCUMENT.problems(by("svc_live_0", unmarked))).isEmpty();
        assertThat(DOCUMENT.problems(by("svc_live_0", accepted.headers())))
                .containsExactly("X-Service-Sandbox is for answers to a test key.");
        assertThat(DOCUMENT.problems(by("svc_test_0", unmarked)))
                .containsExactly("Header X-Service-Sandbox is missing.");
    }

    private Exchange by(String key, Map<String, List<String>> headers) {
        Map<String, List<String>> asked = Map.of("Authorization", List.of("Bearer " + key));
        return new Exchange("POST", VALIDATE, asked, RIGHT, 200, headers, accepted.body());
    }

    private static String firstExample() {
        return DOCUMENT.operation("GET", AUDIT)
                .orElseThrow()
                .response(200)
                .at("/content/application~1json/examples")
                .propertyNames()
                .iterator()
                .next();
    }

    private static Exchange answer(String method, String path, int status, String example) {
        return OpenApiDocumentTest.answer(DOCUMENT.operation(method, path).orElseThrow(), status, example);
    }

    private static Exchange to(Exchange answer, String path, String sent) {
        return new Exchange(answer.method(), path, Map.of(), sent, answer.status(), answer.headers(), answer.body());
    }
}
