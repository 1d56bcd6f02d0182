package dev.agentpolicy.openapi;

import java.util.List;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads JSON strictly: no repeated names, nothing after the value, exact numbers. */
final class Json {
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    /** @throws tools.jackson.core.JacksonException if the text is not one JSON value */
    static JsonNode read(String text) {
        return STRICT.readTree(text);
    }

    /** The same value without members that are null, which count as absent in a request. */
    static JsonNode withoutNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List.copyOf(object.propertyNames()).stream()
                    .filter(name -> object.get(name).isNull())
                    .forEach(object::remove);
        }
        node.forEach(Json::withoutNulls);
        return node;
    }
}
