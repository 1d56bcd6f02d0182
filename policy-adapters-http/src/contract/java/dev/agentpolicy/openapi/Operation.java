package dev.agentpolicy.openapi;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * An operation of the description.
 *
 * @param method in upper case
 * @param path the path with its parameters in braces
 * @param matcher matches the paths of calls
 * @param node the description of the operation
 */
public record Operation(String method, String path, Pattern matcher, JsonNode node) {
    static final List<String> METHODS = List.of("GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE");

    /** The beginning of the paths of access evaluations. */
    static final String ACCESS = "/access/v1/";

    static Operation of(String method, String path, JsonNode item) {
        Pattern matcher = Pattern.compile(path.replace(".", "\\.").replaceAll("\\{[^}]*}", "[^/]+"));
        return new Operation(method, path, matcher, item.get(method.toLowerCase(Locale.ROOT)));
    }

    boolean isAt(String place) {
        return path.equals(place) || matcher.matcher(place).matches();
    }

    JsonNode response(int status) {
        return node.path("responses").path(Integer.toString(status));
    }

    public JsonNode requestSchema() {
        return node.path("requestBody").path("content").path("application/json").path("schema");
    }

    /** Whether agents call it. All others are for users. */
    public boolean isOfAgents() {
        return !path.startsWith("/api/app/");
    }

    /** Whether an invalid body, or an invalid part of it, may be answered 200 with a decision that says so. */
    boolean answersInvalidBodies() {
        return path.endsWith("-batch") || path.startsWith(ACCESS);
    }

    boolean isReading() {
        return method.equals("GET");
    }

    boolean needsBody() {
        return node.path("requestBody").path("required").asBoolean(false);
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
