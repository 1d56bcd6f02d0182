package dev.agentpolicy.app.openapi;

import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * One operation of the description.
 *
 * @param method in upper case
 * @param path as the description writes it
 * @param node what the description says of it
 */
public record Operation(String method, String path, JsonNode node) {
    static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE");

    static Operation of(String method, String path, JsonNode item) {
        return new Operation(method, path, item.get(method.toLowerCase(Locale.ROOT)));
    }

    JsonNode response(int status) {
        return node.path("responses").path(Integer.toString(status));
    }

    public JsonNode requestSchema() {
        return node.path("requestBody").path("content").path("application/json").path("schema");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
