package dev.agentpolicy.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The interface description, {@code docs/openapi.json}, with checks of requests and responses against it. */
public final class OpenApiDocument {
    /** The path of the description, from the directory of a module, where tests run. */
    static final Path FILE = Path.of("..", "docs", "openapi.json");

    private final JsonNode root;
    private final Schemas schemas;
    private final List<Operation> operations;

    OpenApiDocument(JsonNode root) {
        this.root = root;
        this.schemas = new Schemas(root.at("/components/schemas"));
        this.operations = operations(root);
    }

    public static OpenApiDocument load() {
        try {
            return new OpenApiDocument(Json.read(Files.readString(FILE)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Tests are to be run in the directory of their module.", unreadable);
        }
    }

    /** The differences between an exchange and the description; empty when they agree. */
    public List<String> problems(Exchange exchange) {
        JsonNode response = new DescribedResponse(this).of(exchange);
        if (response.isMissingNode()) {
            return List.of("Status " + exchange.status() + " is not described.");
        }
        List<String> problems = new ArrayList<>(new ResponseCheck(this, exchange).against(response));
        operation(exchange.method(), exchange.pathWithoutQuery())
                .ifPresent(operation -> problems.addAll(new RequestCheck(this, operation).problems(exchange)));
        return problems;
    }

    /** Fails unless an exchange matches the description. */
    public void require(Exchange exchange) {
        List<String> problems = problems(exchange);
        if (!problems.isEmpty()) {
            throw new AssertionError(exchange.method() + " " + exchange.path() + " answered " + exchange.status()
                    + " not as docs/openapi.json describes:\n- " + String.join("\n- ", problems) + "\nsent "
                    + exchange.sent() + "\n" + exchange.headers() + "\n" + exchange.body());
        }
    }

    /** The errors of a request body by the description. */
    public List<String> requestProblems(String method, String path, String body) {
        Operation operation = operation(method, path)
                .orElseThrow(() -> new IllegalArgumentException(method + " " + path + " is not described."));
        return requestProblems(operation, body);
    }

    List<String> requestProblems(Operation operation, String body) {
        if (operation.requestSchema().isMissingNode()) {
            return body.isEmpty() ? List.of() : List.of("There should be no body.");
        }
        if (body.isEmpty() && !operation.needsBody()) {
            return List.of();
        }
        try {
            return problems(operation.requestSchema(), Json.withoutNulls(Json.read(body)));
        } catch (JacksonException malformed) {
            return List.of("Body is not JSON: " + malformed.getOriginalMessage());
        } catch (NumberFormatException outlandish) {
            return List.of("Body has a number that is none: " + outlandish.getMessage());
        }
    }

    /** The errors of the decoded text of a parameter. */
    public List<String> textProblems(JsonNode reference, String sent) {
        JsonNode schema = resolve(reference);
        boolean isMoment = schema.path("format").asString("").equals("date-time");
        String text = isMoment ? sent.replace(' ', '+') : sent;
        JsonNode value = ResponseCheck.value(schema.path("type").asString("string"), text);
        return problems(schema, value);
    }

    public List<Operation> operations() {
        return operations;
    }

    /** All parameters of an operation, including those of its path. */
    public List<JsonNode> parameters(Operation operation) {
        JsonNode ofPath = root.path("paths").path(operation.path()).path("parameters");
        return Stream.concat(operation.node().path("parameters").valueStream(), ofPath.valueStream())
                .map(this::resolve)
                .toList();
    }

    public Optional<Operation> operation(String method, String path) {
        return operations.stream()
                .filter(operation -> operation.method().equals(method) && operation.isAt(path))
                .findFirst();
    }

    JsonNode root() {
        return root;
    }

    /** The target of a node that is a reference; otherwise the node itself. */
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

    private static List<Operation> operations(JsonNode root) {
        List<Operation> operations = new ArrayList<>();
        root.path("paths")
                .properties()
                .forEach(path -> Operation.METHODS.stream()
                        .map(method -> Operation.of(method, path.getKey(), path.getValue()))
                        .filter(operation -> operation.node() != null)
                        .forEach(operations::add));
        return List.copyOf(operations);
    }
}
