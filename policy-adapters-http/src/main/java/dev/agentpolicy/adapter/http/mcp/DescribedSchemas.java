package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.adapter.http.agent.AgentApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The schemas of tools, made from the OpenAPI description that the service serves, so that both always say the same. A
 * schema for input has every reference replaced by what it refers to, because some clients resolve none; one for output
 * carries what it refers to under {@code $defs}, because it would be several times as long otherwise.
 */
final class DescribedSchemas {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String REF = "$ref";
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";

    private final JsonNode description;

    DescribedSchemas() {
        try {
            description = JSON.readTree(AgentApi.description());
        } catch (IOException damaged) {
            throw new UncheckedIOException("The jar is damaged: the description is not JSON.", damaged);
        }
    }

    /** The input of a tool that takes what REST takes as a body. */
    ObjectNode body(String schema) {
        return (ObjectNode) inlined(schema(schema));
    }

    /** The input of a tool that takes what REST takes as parameters, each by its name in the description. */
    ObjectNode parameters(String... names) {
        ObjectNode input = JSON.createObjectNode().put("type", "object");
        input.putObject("properties");
        for (String name : names) {
            addParameter(input, name, parameter(name).get("name").textValue());
        }
        return input.put("additionalProperties", false);
    }

    /** The input of a tool that takes one parameter, which it needs. */
    ObjectNode required(String parameter) {
        ObjectNode input = parameters(parameter);
        input.putArray("required").add(parameter(parameter).get("name").textValue());
        return input;
    }

    /** The output of a tool whose answer in REST is a text: an object with the text as its only member. */
    ObjectNode text(String member) {
        ObjectNode output = JSON.createObjectNode().put("type", "object");
        output.putObject("properties").putObject(member).put("type", "string");
        output.putArray("required").add(member);
        return output.put("additionalProperties", false);
    }

    /** Adds a parameter to an input, under a name. */
    void addParameter(ObjectNode input, String parameter, String name) {
        JsonNode described = parameter(parameter);
        ObjectNode schema = JSON.createObjectNode();
        schema.set("description", described.get("description"));
        schema.setAll((ObjectNode) inlined(described.get("schema")));
        input.withObjectProperty("properties").set(name, schema);
    }

    /** The output of a tool that answers an object. */
    ObjectNode output(String schema) {
        ObjectNode output = JSON.createObjectNode().put("type", "object");
        output.setAll((ObjectNode) schema(schema).deepCopy());
        return selfContained(output);
    }

    /** The output of a tool that answers one of two objects. */
    ObjectNode either(String one, String other) {
        ObjectNode output = JSON.createObjectNode().put("type", "object");
        ArrayNode forms = output.putArray("oneOf");
        forms.addObject().put(REF, SCHEMAS + one);
        forms.addObject().put(REF, SCHEMAS + other);
        return selfContained(output);
    }

    /** The output of a tool whose answer in REST is a list: an object with the list as its only member. */
    ObjectNode list(String member, String itemSchema) {
        ObjectNode output = JSON.createObjectNode().put("type", "object");
        output.putObject("properties")
                .putObject(member)
                .put("type", "array")
                .putObject("items")
                .put(REF, SCHEMAS + itemSchema);
        output.putArray("required").add(member);
        output.put("additionalProperties", false);
        return selfContained(output);
    }

    private JsonNode schema(String name) {
        return description.at("/components/schemas/" + name);
    }

    private JsonNode parameter(String name) {
        return description.at("/components/parameters/" + name);
    }

    private JsonNode inlined(JsonNode node) {
        if (node.isArray()) {
            ArrayNode items = JSON.createArrayNode();
            node.forEach(item -> items.add(inlined(item)));
            return items;
        }
        if (!node.isObject()) {
            return node;
        }
        ObjectNode object = JSON.createObjectNode();
        if (node.has(REF)) {
            object.setAll((ObjectNode) inlined(schema(name(node))));
        }
        node.properties().forEach(member -> {
            if (!member.getKey().equals(REF) && !isExamples(member)) {
                object.set(member.getKey(), inlined(member.getValue()));
            }
        });
        return object;
    }

    private ObjectNode selfContained(ObjectNode output) {
        Set<String> names = new LinkedHashSet<>();
        collect(output, names);
        ObjectNode definitions = JSON.createObjectNode();
        names.forEach(name -> definitions.set(name, schema(name).deepCopy()));
        if (!names.isEmpty()) {
            output.set("$defs", definitions);
        }
        moveReferences(output);
        return output;
    }

    private void collect(JsonNode node, Set<String> names) {
        if (node.has(REF) && names.add(name(node))) {
            collect(schema(name(node)), names);
        }
        node.forEach(child -> collect(child, names));
    }

    private static void moveReferences(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(DescribedSchemas::isExamples);
            if (object.has(REF)) {
                object.put(REF, DEFINITIONS + name(object));
            }
        }
        node.forEach(DescribedSchemas::moveReferences);
    }

    /** A property may be called so too; then it is an object. */
    private static boolean isExamples(Map.Entry<String, JsonNode> member) {
        return member.getKey().equals("examples") && member.getValue().isArray();
    }

    private static String name(JsonNode reference) {
        return reference.get(REF).textValue().substring(SCHEMAS.length());
    }
}
