package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The description is complete, and agrees with itself. */
class OpenApiLintTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();

    /** The endpoint table of the specification, the headroom, and the path of the description itself. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET  | /api/agent/v1/whoami                | any key  |
            GET  | /api/agent/v1/mandate               | read     |
            GET  | /api/agent/v1/holdings              | read     |
            GET  | /api/agent/v1/audit                 | read     | limit agentKeyId allowed since before
            POST | /api/agent/v1/policy/validate       | validate |
            POST | /api/agent/v1/policy/validate-batch | validate |
            POST | /api/agent/v1/policy/headroom       | read     |
            GET  | /api/agent/v1/policy/headroom       | read     |
            GET  | /api/agent/v1/policy/events         | read     | limit cursor eventType since order If-None-Match
            GET  | /api/agent/v1/signing-keys          | none     | If-None-Match
            GET  | /api/agent/v1/usage                 | read     | days
            POST | /api/agent/v1/trades/propose        | propose  | Idempotency-Key
            GET  | /api/agent/v1/openapi.json          | none     | If-None-Match
            POST | /access/v1/evaluation               | validate |
            POST | /access/v1/evaluations              | validate |
            GET  | /.well-known/authzen-configuration  | none     | If-None-Match
            """)
    void every_endpoint_asks_for_its_scope_and_its_parameters(
            String method, String path, String access, String parameters) {
        Operation operation = DOCUMENT.operation(method, path).orElseThrow();

        assertThat(access(operation)).isEqualTo(access);
        assertThat(parameters(operation)).isEqualTo(parameters == null ? "" : parameters);
    }

    /** The pages of the console and what operators ask are no interface of this description. */
    @Test
    void every_endpoint_of_the_interfaces_is_described() throws IOException {
        List<String> endpoints = Files.readAllLines(Path.of("../docs/reference/endpoints.md")).stream()
                .map(line -> line.replace("`", "").split("\\s*\\|\\s*"))
                .filter(cells -> cells.length > 3 && cells[2].matches("/((api|access)/|\\.well-known/authzen).*"))
                .map(cells -> cells[1] + " " + cells[2] + " " + cells[3])
                .toList();

        assertThat(operations().map(operation -> operation + " " + access(operation)))
                .containsExactlyInAnyOrderElementsOf(endpoints);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void every_operation_has_a_name_words_and_a_known_tag(Operation operation) {
        JsonNode node = operation.node();

        assertThat(node.path("operationId").asString("")).matches("[a-z]+([A-Z][a-z]+)*");
        assertThat(node.has("security")).isTrue();
        assertThat(node.path("summary").asString("")).isNotBlank().doesNotEndWith(".");
        assertThat(node.path("description").asString("")).endsWith(".");
        assertThat(node.path("tags")).hasSize(1).isSubsetOf(tags());
    }

    @Test
    void no_two_operations_share_a_name() {
        assertThat(operations()
                        .map(operation -> operation.node().get("operationId").asString()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void every_operation_has_all_its_answers(Operation operation) {
        Set<String> expected = new TreeSet<>(Set.of("405", "431", "500", "503"));
        String access = access(operation);
        boolean isAgents = operation.isOfAgents();
        if (isAgents) {
            expected.addAll(Set.of("200", "429"));
        } else {
            expected.add("421");
        }
        if (access.equals("session")) {
            expected.add("429");
        }
        if (!access.equals("none")) {
            expected.add("401");
        }
        if (isAgents ? !access.equals("none") && !access.equals("any key") : !operation.isReading()) {
            expected.add("403");
        }
        if (!operation.requestSchema().isMissingNode()) {
            expected.addAll(Set.of("400", "408", "413"));
            // The certification of AuthZEN wants 400 for another media type.
            expected.add(operation.path().startsWith("/access/") ? "400" : "415");
        }
        String parameters = parameters(operation);
        if (parameters.contains("If-None-Match")) {
            expected.add("304");
        }
        if (!parameters.replace("If-None-Match", "").isBlank()) {
            expected.add("400");
        }

        Set<String> described = new TreeSet<>(operation.node().get("responses").propertyNames());
        assertThat(described).containsAll(expected);
        described.removeAll(expected);
        assertThat(described)
                .isSubsetOf(
                        isAgents
                                ? Set.of("404")
                                : Set.of("200", "201", "202", "204", "401", "403", "404", "409", "422", "429"));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void every_answer_tells_its_id_and_what_is_left_and_every_error_its_code(Operation operation) {
        operation.node().get("responses").properties().forEach(entry -> {
            JsonNode response = DOCUMENT.resolve(entry.getValue());
            boolean isCounted = operation.isOfAgents() && !entry.getKey().equals("431");
            List<String> headers = new ArrayList<>(List.of("X-Request-Id"));
            if (isCounted) {
                headers.addAll(List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"));
            }
            for (String name : headers) {
                JsonNode header = DOCUMENT.resolve(response.path("headers").path(name));
                assertThat(header.path("required").asBoolean(false)).as(name).isTrue();
            }
            JsonNode schema = response.at("/content/application~1json/schema");
            if (Integer.parseInt(entry.getKey()) >= 400) {
                assertThat(DOCUMENT.problems(schema, Json.read("{}")).toString())
                        .contains("'error'", "'message'");
            }
        });
    }

    @Test
    void every_reference_leads_somewhere() {
        assertThat(references().stream()
                        .filter(reference ->
                                DOCUMENT.root().at(reference.substring(1)).isMissingNode()))
                .isEmpty();
    }

    @Test
    void no_component_is_unused() {
        Set<String> used = new HashSet<>(references());
        List<String> unused = new ArrayList<>();
        for (String kind : List.of("parameters", "headers", "responses", "schemas")) {
            DOCUMENT.root().path("components").path(kind).propertyNames().stream()
                    .map(name -> "#/components/" + kind + "/" + name)
                    .filter(reference -> !used.contains(reference))
                    .forEach(unused::add);
        }

        assertThat(unused).isEmpty();
        assertThat(DOCUMENT.root().at("/components/securitySchemes").propertyNames())
                .containsExactly("bearerAuth", "session");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void every_example_is_one(Example example) {
        assertThat(DOCUMENT.problems(example.schema(), example.value())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void every_body_has_an_example(Operation operation) {
        List<JsonNode> bodies = new ArrayList<>(List.of(operation.node().path("requestBody")));
        operation.node().get("responses").forEach(response -> bodies.add(DOCUMENT.resolve(response)));

        assertThat(bodies)
                .filteredOn(body -> body.has("content"))
                .allMatch(body -> body.get("content")
                        .valueStream()
                        .noneMatch(media -> media.path("examples").isEmpty()));
    }

    /**
     * Open are only the parts from which closed schemas are made, the description in the description, and requests whose
     * unknown members AuthZEN wants to be ignored.
     */
    @Test
    void every_object_is_closed() {
        List<String> open = new ArrayList<>();
        DOCUMENT.root().at("/components/schemas").properties().forEach(schema -> {
            JsonNode node = schema.getValue();
            boolean isObject = node.has("properties") || node.has("allOf");
            if (isObject && !node.has("additionalProperties") && !node.has("unevaluatedProperties")) {
                open.add(schema.getKey());
            }
        });

        assertThat(open)
                .containsExactlyInAnyOrder(
                        "EventRow",
                        "Error",
                        "OpenApiDescription",
                        "AccessSubject",
                        "AccessAction",
                        "AccessResource",
                        "AccessContext",
                        "AccessEvaluation",
                        "AccessEvaluationItem",
                        "AccessEntity",
                        "AccessActionDefault",
                        "AccessEvaluations");
    }

    /** A required member that has no schema would be a slip of the pen. */
    @Test
    void every_required_member_is_described() {
        DOCUMENT.root().at("/components/schemas").properties().forEach(schema -> {
            JsonNode node = schema.getValue();
            Pattern listed =
                    Pattern.compile(String.join("|", node.path("properties").propertyNames()));
            node.path("required")
                    .forEach(name ->
                            assertThat(name.asString()).as(schema.getKey()).matches(listed));
        });
    }

    @Test
    void the_jar_serves_this_very_file() throws Exception {
        try (var packaged = getClass().getResourceAsStream("/dev/agentpolicy/adapter/http/agent/openapi.json")) {
            assertThat(packaged).isNotNull().hasBinaryContent(Files.readAllBytes(OpenApiDocument.FILE));
        }
    }

    static Stream<Operation> operations() {
        return DOCUMENT.operations().stream();
    }

    static Stream<Example> examples() {
        return Example.all(DOCUMENT).stream();
    }

    private static List<JsonNode> tags() {
        List<JsonNode> tags = new ArrayList<>();
        DOCUMENT.root().path("tags").forEach(tag -> tags.add(tag.get("name")));
        return tags;
    }

    private static String access(Operation operation) {
        JsonNode security = operation.node().get("security");
        if (security.isEmpty()) {
            return "none";
        }
        if (security.path(0).has("session")) {
            return "session";
        }
        JsonNode scopes = security.path(0).path("bearerAuth");
        return scopes.isEmpty() ? "any key" : scopes.path(0).asString();
    }

    private static String parameters(Operation operation) {
        List<String> names = new ArrayList<>();
        operation
                .node()
                .path("parameters")
                .forEach(parameter ->
                        names.add(DOCUMENT.resolve(parameter).path("name").asString()));
        return String.join(" ", names);
    }

    private static List<String> references() {
        return DOCUMENT.root().findValues("$ref").stream()
                .map(JsonNode::asString)
                .toList();
    }
}
