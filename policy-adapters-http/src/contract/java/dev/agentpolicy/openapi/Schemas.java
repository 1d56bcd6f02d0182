package dev.agentpolicy.openapi;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of the description (JSON Schema 2020-12), with assertion of formats. */
final class Schemas {
    private static final String COMPONENTS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";

    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12,
            builder -> builder.schemaRegistryConfig(
                    SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    private final JsonNode definitions;
    private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

    /** @param components every named schema of the description */
    Schemas(JsonNode components) {
        this.definitions = alone(components);
    }

    /** The errors of a value, each with its location. */
    List<String> problems(JsonNode schema, JsonNode value) {
        return compiled.computeIfAbsent(schema, this::compile).validate(value).stream()
                .map(error -> error.getInstanceLocation() + " " + error.getMessage())
                .toList();
    }

    private Schema compile(JsonNode schema) {
        ObjectNode whole = (ObjectNode) alone(schema);
        whole.set("$defs", definitions);
        return registry.getSchema(whole);
    }

    /** The same schema, with references that work outside of the description. */
    private static JsonNode alone(JsonNode schema) {
        return Json.read(schema.toString().replace(COMPONENTS, DEFINITIONS));
    }
}
