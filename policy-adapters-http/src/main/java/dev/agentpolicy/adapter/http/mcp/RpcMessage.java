package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
}
