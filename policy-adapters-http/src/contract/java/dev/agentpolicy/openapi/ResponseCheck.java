package dev.agentpolicy.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Checks one response against its description. For a single use. */
final class ResponseCheck {
    private static final Pattern JSON =
            Pattern.compile("application/json(; ?charset=utf-8)?", Pattern.CASE_INSENSITIVE);

    private static final Pattern TEST_KEY = Pattern.compile("Bearer +svc_test_.*", Pattern.CASE_INSENSITIVE);

    private final OpenApiDocument document;
    private final Exchange exchange;
    private final List<String> problems = new ArrayList<>();

    ResponseCheck(OpenApiDocument document, Exchange exchange) {
        this.document = document;
        this.exchange = exchange;
    }

    List<String> against(JsonNode response) {
        response.path("headers")
                .properties()
                .forEach(header -> header(header.getKey(), document.resolve(header.getValue())));
        sandbox();
        if (exchange.method().equals("HEAD")) {
            noBody();
        } else if (response.has("content")) {
            content(response.get("content"));
        } else {
            noBody();
        }
        return problems;
    }

    private void noBody() {
        if (!exchange.body().isEmpty()) {
            problems.add("There should be no body.");
        }
    }

    /** Only responses to a working test key are marked. A response of 401, 429 or 431 may be to an unknown key. */
    private void sandbox() {
        boolean isMarked = exchange.headers().containsKey("X-Service-Sandbox");
        boolean isAnonymous =
                exchange.asked().isEmpty() || Set.of(401, 429, 431).contains(exchange.status());
        boolean isTest = exchange.asked().getOrDefault("Authorization", List.of()).stream()
                .anyMatch(value -> TEST_KEY.matcher(value).matches());
        boolean isToken = exchange.asked().getOrDefault("Authorization", List.of()).stream()
                .anyMatch(value -> value.contains("svc_at_"));
        if (isMarked && !isTest && !isToken && !exchange.asked().isEmpty()) {
            problems.add("X-Service-Sandbox is for answers to a test key.");
        } else if (!isMarked && isTest && !isAnonymous) {
            problems.add("Header X-Service-Sandbox is missing.");
        }
    }

    private void header(String name, JsonNode header) {
        List<String> values = exchange.headers().getOrDefault(name, List.of());
        // The only header that is repeated for several values instead of being a list.
        boolean mayComeOften = name.equals("Set-Cookie");
        if (values.size() > 1 && !mayComeOften) {
            problems.add("Header " + name + " comes " + values.size() + " times.");
        } else if (!values.isEmpty()) {
            JsonNode schema = header.get("schema");
            String type = document.resolve(schema).path("type").asString("string");
            values.forEach(value -> add("Header " + name, document.problems(schema, value(type, value))));
        } else if (header.path("required").asBoolean(false)) {
            problems.add("Header " + name + " is missing.");
        }
    }

    /** The text of a header as a value of its schema's type. Text that does not fit stays text and fails the schema. */
    static JsonNode value(String type, String text) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (type.equals("integer") && text.matches("0|-?[1-9][0-9]{0,17}")) {
            return nodes.numberNode(Long.parseLong(text));
        }
        boolean isTruth = type.equals("boolean") && (text.equals("true") || text.equals("false"));
        return isTruth ? nodes.booleanNode(text.equals("true")) : nodes.stringNode(text);
    }

    private void content(JsonNode described) {
        List<String> sent = exchange.headers().getOrDefault("Content-Type", List.of());
        boolean isOther = described.propertyNames().stream()
                .anyMatch(type ->
                        !type.equals("application/json") && sent.toString().startsWith("[" + type));
        // The text of other types is what its own tests check.
        if (!isOther) {
            json(described.path("application/json").path("schema"));
        }
    }

    private void json(JsonNode schema) {
        List<String> types = exchange.headers().getOrDefault("Content-Type", List.of());
        if (types.size() != 1 || !JSON.matcher(types.get(0)).matches()) {
            problems.add("Content-Type is " + types + " and not application/json.");
        }
        try {
            JsonNode body = Json.read(exchange.body());
            add("Body", document.problems(schema, body));
            requestId(body);
        } catch (JacksonException malformed) {
            problems.add("Body is not JSON: " + malformed.getOriginalMessage());
        }
    }

    /** Checks that the request id in an error body equals the one in the header. */
    private void requestId(JsonNode body) {
        List<String> inHeader = exchange.headers().getOrDefault("X-Request-Id", List.of());
        if (body.has("error")
                && body.has("requestId")
                && !inHeader.contains(body.get("requestId").asString())) {
            problems.add("Body requestId is not that of the header X-Request-Id.");
        }
    }

    private void add(String place, List<String> found) {
        found.forEach(problem -> problems.add(place + " " + problem));
    }
}
