package dev.agentpolicy.app.openapi;

import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON as strictly as a client may: no repeated names, nothing after the value, exact numbers. */
final class Json {
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    /** @throws tools.jackson.core.JacksonException when the text is not one JSON value */
    static JsonNode read(String text) {
        return STRICT.readTree(text);
    }
}
