package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import org.jspecify.annotations.Nullable;

/**
 * An error of JSON-RPC: the message was not what the protocol allows.
 *
 * @param status the status of the HTTP response
 * @param id the id of the request as JSON text; null if it has none that can be read
 * @param code the code of JSON-RPC
 * @param message one sentence
 */
record ProtocolError(int status, @Nullable String id, int code, String message) {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;

    /** The body is not JSON. */
    static ProtocolError unparsable() {
        return new ProtocolError(BAD_REQUEST, null, ErrorCodes.PARSE_ERROR, "The body is not valid JSON in UTF-8.");
    }

    /** The body is no message, or none that this endpoint takes. */
    static ProtocolError invalid(@Nullable String id, String message) {
        return new ProtocolError(BAD_REQUEST, id, ErrorCodes.INVALID_REQUEST, message);
    }

    /** A header of the request is wrong. */
    static ProtocolError header(int status, @Nullable String id, String message) {
        return new ProtocolError(status, id, ErrorCodes.INVALID_REQUEST, message);
    }

    /** The parameters of a request are wrong. */
    static ProtocolError params(@Nullable String id, String message) {
        return new ProtocolError(OK, id, ErrorCodes.INVALID_PARAMS, message);
    }

    /** The response. */
    byte[] json() {
        return JsonWriter.object(out -> out.text("jsonrpc", RpcMessage.VERSION)
                .raw("id", id == null ? "null" : id)
                .object(
                        "error",
                        this,
                        (error, it) -> error.integer("code", (long) it.code).text("message", it.message)));
    }
}
