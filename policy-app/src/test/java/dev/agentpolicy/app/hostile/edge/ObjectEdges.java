package dev.agentpolicy.app.hostile.edge;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Objects at the edges of a schema: each member left out, at each of its own edges, and one too many. */
final class ObjectEdges {
    private final Edges edges;
    private final JsonNode schema;
    private final JsonNode base;

    /** @param base missing for one with what it needs and no more */
    ObjectEdges(Edges edges, JsonNode schema, JsonNode base) {
        this.edges = edges;
        this.schema = schema;
        this.base = base.isObject() ? base : least();
    }

    private ObjectNode least() {
        ObjectNode least = Edges.NODES.objectNode();
        for (JsonNode name : schema.path("required")) {
            least.set(name.asString(), edges.plain(schema.path("properties").get(name.asString())));
        }
        return least;
    }

    /** The first one is right. */
    void addTo(Set<JsonNode> values) {
        values.add(base);
        values.add(least());
        values.add(all());
        values.add(with(base, "surprise", Edges.NODES.numberNode(1)));
        schema.path("properties").properties().forEach(property -> {
            values.add(without(base, property.getKey()));
            for (JsonNode value : edges.of(property.getValue(), base.path(property.getKey()))) {
                values.add(with(base, property.getKey(), value));
            }
        });
        if (schema.path("additionalProperties").isObject()) {
            addMapsTo(values);
        }
    }

    private ObjectNode all() {
        ObjectNode all = base.deepCopy().asObject();
        schema.path("properties")
                .properties()
                .forEach(property -> all.putIfAbsent(property.getKey(), edges.plain(property.getValue())));
        return all;
    }

    /** Names that are data, each edge of what they name, and how many there are. */
    private void addMapsTo(Set<JsonNode> values) {
        JsonNode named = schema.get("additionalProperties");
        JsonNode plain = edges.plain(named);
        for (String name : TextEdges.of(schema.path("propertyNames"))) {
            values.add(with(Edges.NODES.objectNode(), name, plain));
        }
        for (JsonNode value : edges.of(named, base.path("none"))) {
            values.add(with(Edges.NODES.objectNode(), "S", value));
        }
        int most = schema.path("maxProperties").asInt(0);
        for (int size : List.of(most, most + 1)) {
            ObjectNode map = Edges.NODES.objectNode();
            for (int i = 0; i < size; i++) {
                map.set("S" + i, plain);
            }
            values.add(map);
        }
    }

    static ObjectNode with(JsonNode object, String name, JsonNode value) {
        return object.deepCopy().asObject().set(name, value);
    }

    static ObjectNode without(JsonNode object, String name) {
        ObjectNode less = object.deepCopy().asObject();
        less.remove(name);
        return less;
    }
}
