package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentpolicy.adapter.http.mcp.RpcMessage.Wrong;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object whose members are kept as the text that was sent. The envelope of a message is read like this, so that the
 * strict readers of the agent API see the arguments of a tool exactly as they came, with repeated names and every digit.
 *
 * @param members the text of each member, by name
 * @param hasRepeated whether a name occurs more than once
 */
record RawObject(Map<String, String> members, boolean hasRepeated) {
    /** Names are not interned: clients must not be able to fill a table that all calls share. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    /**
     * Reads an object.
     *
     * @throws Wrong if the text is no JSON, is another value, or has something after its value
     */
    static RawObject of(String json) throws Wrong {
        try (JsonParser parser = FACTORY.createParser(json)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_OBJECT) {
                return members(json, parser);
            }
            parser.skipChildren();
            requireEnd(parser);
            if (first == null) {
                throw RpcMessage.unparsable();
            }
            throw new Wrong(
                    400,
                    null,
                    RpcMessage.INVALID_REQUEST,
                    first == JsonToken.START_ARRAY
                            ? "A batch of messages is not part of this protocol; send one message at a time."
                            : "The body must be one JSON-RPC message, an object.");
        } catch (IOException malformed) {
            throw RpcMessage.unparsable();
        }
    }

    private static RawObject members(String json, JsonParser parser) throws IOException {
        Map<String, String> members = new LinkedHashMap<>();
        boolean hasRepeated = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            hasRepeated |= members.putIfAbsent(name, value(json, parser)) != null;
        }
        requireEnd(parser);
        return new RawObject(members, hasRepeated);
    }

    private static String value(String json, JsonParser parser) throws IOException {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        return json.substring(start, (int) parser.currentLocation().getCharOffset());
    }

    private static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw new IOException("There is text after the value.");
        }
    }

    /** The text of a member; null if it is absent or null. */
    @Nullable
    String get(String name) {
        String text = members.get(name);
        return text == null || text.equals("null") ? null : text;
    }

    /** The value of a member that is a string; null if it is absent or something else. */
    @Nullable
    String text(String name) {
        String text = get(name);
        return text == null || !text.startsWith("\"") ? null : unquoted(text);
    }

    private static String unquoted(String json) {
        if (json.indexOf('\\') < 0) {
            return json.substring(1, json.length() - 1);
        }
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            return parser.getText();
        } catch (IOException impossible) {
            throw new IllegalStateException("It was parsed before.", impossible);
        }
    }
}
