package dev.agentpolicy.app.hostile.edge;

import dev.agentpolicy.openapi.OpenApiDocument;
import dev.agentpolicy.openapi.Operation;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/**
 * Values at the edges of what a schema of the description allows, one place of a value at its edge at a time. Which of them
 * are right is for the description to say ({@link OpenApiDocument#requestProblems}).
 */
public final class Edges {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** One of each type, where another is meant. */
    private static final List<JsonNode> TYPES = List.of(
            NODES.nullNode(),
            NODES.booleanNode(true),
            NODES.numberNode(1),
            NODES.stringNode("1"),
            NODES.arrayNode(),
            NODES.objectNode());

    private final OpenApiDocument document;

    public Edges(OpenApiDocument document) {
        this.document = document;
    }

    /** The example of a body that says most. */
    public JsonNode example(Operation operation) {
        return operation
                .node()
                .at("/requestBody/content/application~1json/examples")
                .valueStream()
                .map(example -> document.resolve(example).path("value"))
                .max(Comparator.comparingInt(value -> value.toString().length()))
                .orElseThrow();
    }

    /** Bodies, each of which differs from the example in one place. */
    public Set<JsonNode> bodies(Operation operation) {
        return of(operation.requestSchema(), example(operation));
    }

    /** What a parameter may and may not be sent as. */
    public Set<String> texts(JsonNode parameter) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode value : of(parameter.get("schema"), MissingNode.getInstance())) {
            if (value.isValueNode()) {
                texts.add(value.asString());
                texts.add(value.isNumber() ? "+" + value : value + " ");
            }
        }
        texts.addAll(List.of("01", "1e0", "0x1", "TRUE", "-0"));
        return texts;
    }

    /** @param base where a value is to be like it but for one place; may be missing */
    Set<JsonNode> of(JsonNode reference, JsonNode base) {
        JsonNode schema = document.resolve(reference);
        Set<JsonNode> values = new LinkedHashSet<>();
        for (JsonNode branch : schema.path("oneOf")) {
            values.addAll(of(branch, MissingNode.getInstance()));
        }
        switch (type(schema)) {
            case "number", "integer" -> NumberEdges.of(schema).forEach(number -> values.add(NODES.numberNode(number)));
            case "string" -> TextEdges.of(schema).forEach(text -> values.add(NODES.stringNode(text)));
            case "boolean" -> values.addAll(List.of(NODES.booleanNode(true), NODES.booleanNode(false)));
            case "array" -> lists(schema, base, values);
            case "object" -> new ObjectEdges(this, schema, base).addTo(values);
            default -> {}
        }
        values.addAll(TYPES);
        return values;
    }

    /** The first type, which is not null. */
    private static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray() ? type.get(0).asString() : type.asString("");
    }

    /** A value without anything that can be left out. */
    JsonNode plain(JsonNode reference) {
        return of(reference, MissingNode.getInstance()).iterator().next();
    }

    /** Lengths, an item that is there twice, and each edge of an item. */
    private void lists(JsonNode schema, JsonNode base, Set<JsonNode> values) {
        JsonNode item = base.has(0) ? base.get(0) : plain(schema.get("items"));
        int words = document.resolve(schema.get("items")).path("enum").size();
        int least = schema.path("minItems").asInt(0);
        int most = schema.path("maxItems").asInt(Math.max(words, 2));
        IntStream.of(least, least - 1, least + 1, most, most + 1)
                .filter(length -> length >= 0)
                .mapToObj(length -> list(schema, item, length))
                .forEach(values::add);
        values.add(NODES.arrayNode().add(item).add(item));
        for (JsonNode other : of(schema.get("items"), item)) {
            values.add(NODES.arrayNode().add(other));
        }
    }

    /** Items that differ as far as their schema lets them. */
    private ArrayNode list(JsonNode schema, JsonNode item, int length) {
        JsonNode items = document.resolve(schema.get("items"));
        JsonNode words = items.path("enum");
        String pattern = items.path("pattern").asString("");
        ArrayNode list = NODES.arrayNode();
        for (int i = 0; i < length; i++) {
            list.add(words.isEmpty() ? numbered(item, pattern, i) : words.get(i % words.size()));
        }
        return list;
    }

    private static JsonNode numbered(JsonNode item, String pattern, int number) {
        if (item.isNumber()) {
            return NODES.numberNode(number + 1);
        }
        boolean isOfLetters = !Pattern.compile(pattern).matcher("S1").find();
        String text = isOfLetters ? "s".repeat(number + 1) : "S" + number;
        if (!item.isObject()) {
            return NODES.stringNode(text);
        }
        return List.of("id", "symbol", "assetSymbol").stream()
                .filter(item::has)
                .findFirst()
                .<JsonNode>map(name -> ObjectEdges.with(item, name, NODES.stringNode(text)))
                .orElse(item);
    }
}
