package dev.agentpolicy.app.hostile;

import dev.agentpolicy.openapi.Described;
import dev.agentpolicy.openapi.Exchange;
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
record RawAnswer(int status, Map<String, List<String>> headers, String body) {
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

    /**
     * Fails unless docs/openapi.json has such an answer for the operation that was asked for. False when none was: the path
     * is that of nothing, or it was no HTTP, or may have been none, and nobody asked for the path.
     */
    boolean requireDescribed(Endpoint endpoint, String request) {
        String path = endpoint.path().replaceAll("\\{[a-z]+}", "[A-Za-z0-9-]+");
        boolean isOfOperation = (endpoint.isOfAgents() || endpoint.isOfUsers())
                && request.matches("(?s)[A-Z]+ " + path + "[? ].*")
                && !body.startsWith("{\"error\":\"bad_request\"")
                && !(RandomRequest.isHead(request) && status == 400);
        if (isOfOperation) {
            requireDescribed(request);
        }
        return isOfOperation;
    }

    /** Fails likewise; of a path of neither API nothing is described. */
    void requireDescribed(String request) {
        String[] line = request.substring(0, request.indexOf("\r\n")).split(" ");
        Described.require(new Exchange(line[0], line[1], status, headers, body));
    }

    /** OAuth has errors of its own, and shows a page to a person whose program is wrong. */
    private String envelope() {
        if (header("Content-Type").startsWith("text/html") && body.startsWith("<!doctype html>")) {
            return "";
        }
        try {
            JsonNode error = json();
            if (error.has("error_description")) {
                return error.path("error").asString("").isBlank() ? "no error of OAuth" : "";
            }
            if (error.has("jsonrpc")) {
                return error.at("/error/code").isInt()
                                && !error.at("/error/message").asString("").isBlank()
                        ? ""
                        : "no error of JSON-RPC";
            }
            boolean isEnvelope = !error.path("error").asString("").isBlank()
                    && !error.path("message").asString("").isBlank()
                    && error.path("requestId").asString("").equals(header("X-Request-Id"));
            return isEnvelope ? "" : "no envelope";
        } catch (JacksonException broken) {
            return "no JSON";
        }
    }
}
