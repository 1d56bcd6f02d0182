package dev.agentpolicy.app.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * The interface description, {@code docs/openapi.json}, as a judge of requests and answers.
 *
 * <pre>{@code
 * OpenApiDocument.load().require(Exchange.of(client.send(request, BodyHandlers.ofString())));
 * }</pre>
 */
public final class OpenApiDocument {
    /** Where the description lies, seen from the directory of a module, in which tests run. */
    static final Path FILE = Path.of("..", "docs", "openapi.json");

    /** Answers to calls of a path or a method that is not described: 404 for a path, 405 for a method. */
    private static final Map<Integer, String> OF_NO_OPERATION = Map.of(
            404, "NotFound", 405, "MethodNotAllowed", 429, "TooManyRequests", 500, "InternalError", 503, "Unavailable");

    private final JsonNode root;
    private final Schemas schemas;

    OpenApiDocument(JsonNode root) {
        this.root = root;
        this.schemas = new Schemas(root.at("/components/schemas"));
    }

    public static OpenApiDocument load() {
        try {
            return new OpenApiDocument(Json.read(Files.readString(FILE)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Tests are to be run in the directory of their module.", unreadable);
        }
    }

    /** What an answer has that the description does not promise, or the reverse; empty when they agree. */
    public List<String> problems(Exchange exchange) {
        JsonNode response = response(exchange);
        return response.isMissingNode()
                ? List.of("Status " + exchange.status() + " is not described.")
                : new ResponseCheck(this, exchange).against(response);
    }

    /** Fails unless an answer is as described. */
    public void require(Exchange exchange) {
        List<String> problems = problems(exchange);
        if (!problems.isEmpty()) {
            throw new AssertionError(exchange.method() + " " + exchange.path() + " answered " + exchange.status()
                    + " not as docs/openapi.json describes:\n- " + String.join("\n- ", problems) + "\n"
                    + exchange.headers() + "\n" + exchange.body());
        }
    }

    /** What is wrong with a request body by the description; empty when nothing is. */
    public List<String> requestProblems(String method, String path, String body) {
        Operation operation = operation(method, path)
                .orElseThrow(() -> new IllegalArgumentException(method + " " + path + " is not described."));
        if (operation.requestSchema().isMissingNode()) {
            return body.isEmpty() ? List.of() : List.of("There should be no body.");
        }
        try {
            return problems(operation.requestSchema(), Json.read(body));
        } catch (JacksonException malformed) {
            return List.of("Body is not JSON: " + malformed.getOriginalMessage());
        }
    }

    public List<Operation> operations() {
        List<Operation> operations = new ArrayList<>();
        root.path("paths")
                .properties()
                .forEach(path -> Operation.METHODS.stream()
                        .map(method -> Operation.of(method, path.getKey(), path.getValue()))
                        .filter(operation -> operation.node() != null)
                        .forEach(operations::add));
        return operations;
    }

    public Optional<Operation> operation(String method, String path) {
        return operations().stream()
                .filter(operation ->
                        operation.method().equals(method) && operation.path().equals(path))
                .findFirst();
    }

    JsonNode root() {
        return root;
    }

    /** What a node is, when it only refers to something. */
    public JsonNode resolve(JsonNode node) {
        if (!node.has("$ref")) {
            return node;
        }
        JsonNode target = root.at(node.get("$ref").asString().substring(1));
        return target.isMissingNode() ? target : resolve(target);
    }

    List<String> problems(JsonNode schema, JsonNode value) {
        return schemas.problems(schema, value);
    }

    /** The response for an answer: of its operation, else of what no operation takes. */
    private JsonNode response(Exchange exchange) {
        String path = exchange.pathWithoutQuery();
        Optional<Operation> operation = operation(exchange.method(), path);
        if (operation.isPresent()) {
            return resolve(operation.get().response(exchange.status()));
        }
        boolean isPath = operations().stream().anyMatch(any -> any.path().equals(path));
        return exchange.status() == (isPath ? 404 : 405)
                ? MissingNode.getInstance()
                : root.path("components")
                        .path("responses")
                        .path(OF_NO_OPERATION.getOrDefault(exchange.status(), "none"));
    }
}
