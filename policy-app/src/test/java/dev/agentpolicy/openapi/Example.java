package dev.agentpolicy.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import tools.jackson.databind.JsonNode;

/**
 * An example of the description.
 *
 * @param place where it stands
 * @param schema what it is an example of
 * @param value the example
 */
record Example(String place, JsonNode schema, JsonNode value) {

    /** Every example there is, of bodies, parameters, headers and schemas. */
    static List<Example> all(OpenApiDocument document) {
        List<Example> found = new ArrayList<>();
        collect("", document.root(), found);
        return found;
    }

    /** Examples stand beside a schema, or inside of one. */
    private static void collect(String place, JsonNode node, List<Example> found) {
        JsonNode schema = node.has("schema") ? node.get("schema") : node;
        if (node.has("example")) {
            found.add(new Example(place + "/example", schema, node.get("example")));
        }
        JsonNode examples = node.path("examples");
        for (int i = 0; examples.isArray() && i < examples.size(); i++) {
            found.add(new Example(place + "/examples/" + i, schema, examples.get(i)));
        }
        if (examples.isObject() && node.has("schema")) {
            examples.properties()
                    .forEach(named -> found.add(new Example(
                            place + "/" + named.getKey(),
                            schema,
                            named.getValue().get("value"))));
        }
        for (Entry<String, JsonNode> member : node.properties()) {
            if (!member.getKey().equals("examples") && !member.getKey().equals("example")) {
                collect(place + "/" + member.getKey(), member.getValue(), found);
            }
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            collect(place + "/" + i, node.get(i), found);
        }
    }

    @Override
    public String toString() {
        return place;
    }
}
