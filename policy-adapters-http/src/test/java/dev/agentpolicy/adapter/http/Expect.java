package dev.agentpolicy.adapter.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.http.Client.Seen;

/** Assertions about answers. */
public final class Expect {
    public static final String TRADE =
            "{\"action\":\"buy\",\"assetSymbol\":\"ETH\",\"assetType\":\"crypto\",\"amountUsd\":100}";

    private Expect() {}

    /** The whole body except the request id, which must be that of the header. */
    public static void error(Seen seen, int status, String body) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(status);
        assertThat(seen.jsonWithoutId()).isEqualTo(Client.json(body));
        assertThat(seen.json().get("requestId").textValue()).isEqualTo(seen.header("X-Request-Id"));
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
    }

    public static void invalidPayload(Seen seen, String verdict, String... messages) {
        StringBuilder violations = new StringBuilder();
        for (String message : messages) {
            violations
                    .append(violations.isEmpty() ? "" : ",")
                    .append("{\"rule\":\"invalid_payload\",\"message\":\"")
                    .append(message)
                    .append("\"}");
        }
        String message = messages.length == 1 ? messages[0] : messages.length + " fields are wrong; see violations.";
        String denying = verdict.isEmpty() ? "" : ",\"" + verdict + "\":false";
        error(
                seen,
                400,
                "{\"error\":\"invalid_payload\",\"message\":\"" + message + "\",\"violations\":[" + violations + "]"
                        + denying + "}");
    }

    public static void budget(Seen seen, int remaining) {
        assertThat(seen.header("X-RateLimit-Limit")).isEqualTo("50");
        assertThat(seen.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(remaining));
        assertThat(seen.header("X-RateLimit-Reset")).isEqualTo("1");
    }
}
