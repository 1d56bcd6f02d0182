package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.hostile.edge.Edges;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.ObjectNode;

/** The edges of a body are on both sides of every constraint: none can be loosened or tightened without one noticing. */
class EdgesTest {
    private static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final Map<String, String> STEPS = Map.of(
            "minimum", "0.000001",
            "maximum", "-0.000001",
            "minLength", "1",
            "maxLength", "-1",
            "minItems", "1",
            "maxItems", "-1",
            "maxProperties", "-1");

    /** What another constraint says, too: the pattern, that one of the alternatives fits, and that there is one member. */
    private static final List<String> SAID_TWICE = List.of(
            "without /components/schemas/AssetSymbol/minLength",
            "without /components/schemas/DeletionInput/oneOf/1/additionalProperties",
            "without /components/schemas/ComparedIps/additionalProperties");

    @Test
    void no_constraint_can_be_changed_unnoticed() {
        Set<String> noticed = new LinkedHashSet<>();
        Set<String> unnoticed = new LinkedHashSet<>();
        for (Operation operation : DOCUMENT.operations()) {
            if (!operation.requestSchema().isMissingNode()) {
                change(operation, noticed, unnoticed);
            }
        }
        unnoticed.removeAll(noticed);

        assertThat(noticed).hasSizeGreaterThan(100);
        assertThat(unnoticed).containsExactlyElementsOf(SAID_TWICE);
    }

    private static void change(Operation operation, Set<String> noticed, Set<String> unnoticed) {
        List<String> right = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (JsonNode body : new Edges(DOCUMENT).bodies(operation)) {
            boolean isRight =
                    DOCUMENT.requestProblems(operation, body.toString()).isEmpty();
            (isRight ? right : wrong).add(body.toString());
        }
        for (String place : constraints(operation)) {
            String without = "without " + place;
            if (!noticed.contains(without)) {
                (notices(operation, removed(place), wrong, List::isEmpty) ? noticed : unnoticed).add(without);
            }
            String tighter = "tighter " + place;
            boolean isLimit = STEPS.containsKey(place.substring(place.lastIndexOf('/') + 1));
            if (isLimit && !noticed.contains(tighter)) {
                boolean isNoticed = notices(operation, tightened(place), right, found -> !found.isEmpty());
                (isNoticed ? noticed : unnoticed).add(tighter);
            }
        }
    }

    private static boolean notices(
            Operation operation, JsonNode root, List<String> bodies, Predicate<List<String>> isDifferent) {
        OpenApiDocument other = new OpenApiDocument(root);
        Operation same = other.operation(operation.method(), operation.path()).orElseThrow();
        return bodies.stream().anyMatch(body -> isDifferent.test(other.requestProblems(same, body)));
    }

    private static JsonNode removed(String place) {
        JsonNode root = DOCUMENT.root().deepCopy();
        int end = place.lastIndexOf('/');
        JsonNode parent = root.at(place.substring(0, end));
        String last = place.substring(end + 1);
        if (parent instanceof ArrayNode words) {
            words.remove(Integer.parseInt(last));
        } else {
            ((ObjectNode) parent).remove(last);
        }
        return root;
    }

    private static JsonNode tightened(String place) {
        JsonNode root = DOCUMENT.root().deepCopy();
        int end = place.lastIndexOf('/');
        String keyword = place.substring(end + 1);
        BigDecimal limit = root.at(place).decimalValue().add(new BigDecimal(STEPS.get(keyword)));
        ((ObjectNode) root.at(place.substring(0, end))).set(keyword, DecimalNode.valueOf(limit));
        return root;
    }

    /** Where every constraint stands that a body of an operation is under. */
    private static Set<String> constraints(Operation operation) {
        Set<String> places = new LinkedHashSet<>();
        String name = operation.requestSchema().path("$ref").asString();
        collect(name.substring(1), places);
        return places;
    }

    private static void collect(String place, Set<String> places) {
        JsonNode node = DOCUMENT.root().at(place);
        for (String keyword : List.of("type", "enum", "pattern", "additionalProperties")) {
            boolean isSaid =
                    node.isObject() && node.has(keyword) && !node.get(keyword).isObject();
            boolean isConstraint = isSaid
                    && !node.get(keyword).equals(BooleanNode.TRUE)
                    && !(keyword.equals("type") && node.has("enum"));
            if (isConstraint) {
                places.add(place + "/" + keyword);
            }
        }
        STEPS.keySet().stream().filter(node::has).forEach(keyword -> places.add(place + "/" + keyword));
        for (int i = 0; i < node.path("required").size(); i++) {
            places.add(place + "/required/" + i);
        }
        node.path("properties").propertyNames().forEach(name -> collect(place + "/properties/" + name, places));
        for (String keyword : List.of("items", "additionalProperties", "propertyNames", "oneOf/0", "oneOf/1")) {
            if (!node.at("/" + keyword).isMissingNode()) {
                collect(place + "/" + keyword, places);
            }
        }
        if (node.has("$ref")) {
            collect(node.get("$ref").asString().substring(1), places);
        }
    }
}
