package dev.agentpolicy.adapter.http.mcp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request or a notification of JSON-RPC 2.0.
 *
 * @param id the id as JSON text; null for a notification
 * @param method what is asked for
 * @param params the parameters; without members if none came
 */
record RpcMessage(@Nullable String id, String method, RawObject params) {
    static final int PARSE_ERROR = -32700;
    static final int INVALID_REQUEST = -32600;
    static final int METHOD_NOT_FOUND = -32601;
    static final int INVALID_PARAMS = -32602;
    static final int RESOURCE_NOT_FOUND = -32002;

    private static final String VERSION = "2.0";
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,18})");

    /** A message that is not what the protocol allows. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        private final int status;
        private final @Nullable String id;
        private final int code;

        /**
         * Creates an error.
         *
         * @param status the status of the HTTP response
         * @param id the id of the request as JSON text; null if it has none that can be read
         * @param code the code of JSON-RPC
         * @param message one sentence
         */
        Wrong(int status, @Nullable String id, int code, String message) {
            super(message, null, false, false);
            this.status = status;
            this.id = id;
            this.code = code;
        }

        int status() {
            return status;
        }

        byte[] json() {
            return error(id, code, String.valueOf(getMessage()), null);
        }
    }

    /** The text of an error response. */
    static byte[] error(@Nullable String id, int code, String message, @Nullable String data) {
        return response(
                id,
                out -> out.object(
                        "error",
                        message,
                        (error, text) -> error.integer("code", (long) code)
                                .text("message", text)
                                .present("data", data, JsonWriter::raw)));
    }

    private static byte[] response(@Nullable String id, Consumer<JsonWriter> outcome) {
        return JsonWriter.object(out -> {
            out.text("jsonrpc", VERSION).raw("id", id == null ? "null" : id);
            outcome.accept(out);
        });
    }

    /**
     * Reads the message in a body.
     *
     * @throws Wrong if the body is no message, or none that this endpoint takes
     */
    static RpcMessage read(byte[] body) throws Wrong {
        RawObject envelope = RawObject.of(text(body));
        String sent = envelope.members().get("id");
        boolean isUsable =
                sent == null || sent.startsWith("\"") || INTEGER.matcher(sent).matches();
        String id = isUsable ? sent : null;
        String method = envelope.text("method");
        String params = envelope.get("params");
        require(!envelope.hasRepeated(), id, "The message has a member twice.");
        require(VERSION.equals(envelope.text("jsonrpc")), id, "The member jsonrpc must be \"2.0\".");
        require(isUsable, id, "The id must be a string or an integer.");
        if (method == null) {
            throw invalid(id, "The member method is missing; this server sends no requests that could be answered.");
        }
        require(params == null || params.startsWith("{"), id, "The member params must be an object.");
        RawObject members = RawObject.of(params == null ? "{}" : params);
        require(!members.hasRepeated(), id, "The member params has a member twice.");
        return new RpcMessage(id, method, members);
    }

    private static String text(byte[] body) throws Wrong {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw unparsable();
        }
    }

    private static void require(boolean isMet, @Nullable String id, String message) throws Wrong {
        if (!isMet) {
            throw invalid(id, message);
        }
    }

    private static Wrong invalid(@Nullable String id, String message) {
        return new Wrong(400, id, INVALID_REQUEST, message);
    }

    static Wrong unparsable() {
        return new Wrong(400, null, PARSE_ERROR, "The body is not valid JSON in UTF-8.");
    }

    /** An error of this request. */
    Wrong wrong(int status, int code, String message) {
        return new Wrong(status, id, code, message);
    }

    /** The parameters of this request are wrong. */
    Wrong wrongParams(String message) {
        return wrong(200, INVALID_PARAMS, message);
    }

    /** The response to this request. */
    byte[] result(Consumer<JsonWriter> members) {
        return response(id, out -> out.object("result", members, (result, body) -> body.accept(result)));
    }

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
                    throw unparsable();
                }
                throw new Wrong(
                        400,
                        null,
                        INVALID_REQUEST,
                        first == JsonToken.START_ARRAY
                                ? "A batch of messages is not part of this protocol; send one message at a time."
                                : "The body must be one JSON-RPC message, an object.");
            } catch (IOException malformed) {
                throw unparsable();
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
}
