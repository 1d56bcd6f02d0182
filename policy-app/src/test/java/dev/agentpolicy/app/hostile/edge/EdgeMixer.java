package dev.agentpolicy.app.hostile.edge;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Combines several edge values in one body at random. */
public final class EdgeMixer {
    private final RandomGenerator random;
    private final ObjectNode base;
    private final List<ObjectNode> edges;

    /** @param edges bodies that each differ from the base in one place */
    public EdgeMixer(RandomGenerator random, JsonNode base, Set<JsonNode> edges) {
        this.random = random;
        this.base = base.asObject();
        this.edges = edges.stream()
                .filter(JsonNode::isObject)
                .map(JsonNode::asObject)
                .toList();
    }

    /** The members of the base, two to four times as another edge has them. */
    public JsonNode next() {
        ObjectNode mixed = base.deepCopy();
        for (int i = random.nextInt(2, 5); i > 0; i--) {
            ObjectNode edge = edges.get(random.nextInt(edges.size()));
            Set<String> names = new LinkedHashSet<>(base.propertyNames());
            names.addAll(edge.propertyNames());
            names.removeIf(name -> edge.path(name).equals(base.path(name)));
            for (String name : names) {
                if (edge.has(name)) {
                    mixed.set(name, edge.get(name));
                } else {
                    mixed.remove(name);
                }
            }
        }
        return mixed;
    }
}
