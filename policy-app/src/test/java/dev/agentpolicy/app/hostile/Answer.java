package dev.agentpolicy.app.hostile;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What came back, as bytes on the wire.
 *
 * @param status of the answer
 * @param headers by lower-case name
 * @param body empty for none
 */
record Answer(int status, Map<String, List<String>> headers, String body) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SERVER_ERROR = 500;

    String header(String name) {
        return String.join(",", headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
    }

    JsonNode json() {
        return JSON.readTree(body);
    }

    /** What is wrong with it, whatever was asked; empty for an answer as it should be. */
    String indecency() {
        if (status >= SERVER_ERROR) {
            return "a " + status;
        }
        String missing = List.of("x-request-id", "x-content-type-options", "x-frame-options", "cache-control").stream()
                .filter(name -> headers.getOrDefault(name, List.of()).size() != 1)
                .toList()
                .toString();
        if (!missing.equals("[]")) {
            return "not exactly one header of each of " + missing;
        }
        if (headers.containsKey("server") || !header("X-Request-Id").matches("[A-Za-z0-9._-]{1,64}")) {
            return "a header that tells too much";
        }
        return status >= 400 && !body.isEmpty() ? envelope() : "";
    }

    private String envelope() {
        try {
            JsonNode error = json();
            boolean isEnvelope = !error.path("error").asString("").isBlank()
                    && !error.path("message").asString("").isBlank()
                    && error.path("requestId").asString("").equals(header("X-Request-Id"));
            return isEnvelope ? "" : "no envelope";
        } catch (JacksonException broken) {
            return "no JSON";
        }
    }
}
