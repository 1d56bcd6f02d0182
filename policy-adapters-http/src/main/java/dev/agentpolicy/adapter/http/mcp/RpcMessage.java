package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.mcp.RawObject.NoObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
    /** The version of JSON-RPC. */
    static final String VERSION = "2.0";

    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,18})");
    private static final RawObject NONE = new RawObject(Map.of(), false);

    /** Continues with the message in a body, or with what is wrong with it. */
    static void read(byte[] body, Consumer<RpcMessage> success, Consumer<ProtocolError> failure) {
        RawObject envelope;
        try {
            envelope = RawObject.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString());
        } catch (CharacterCodingException notUtf8) {
            failure.accept(ProtocolError.unparsable());
            return;
        } catch (IOException malformed) {
            failure.accept(ProtocolError.unparsable());
            return;
        } catch (NoObject other) {
            failure.accept(ProtocolError.invalid(
                    null,
                    other.isList()
                            ? "A batch of messages is not part of this protocol; send one message at a time."
                            : "The body must be one JSON-RPC message, an object."));
            return;
        }
        read(envelope, success, failure);
    }

    private static void read(RawObject envelope, Consumer<RpcMessage> success, Consumer<ProtocolError> failure) {
        String id = envelope.members().get("id");
        boolean isIdUsable =
                id == null || id.startsWith("\"") || INTEGER.matcher(id).matches();
        String usable = isIdUsable ? id : null;
        String method = envelope.text("method");
        if (envelope.hasRepeated()) {
            failure.accept(ProtocolError.invalid(usable, "The message has a member twice."));
        } else if (!VERSION.equals(envelope.text("jsonrpc"))) {
            failure.accept(ProtocolError.invalid(usable, "The member jsonrpc must be \"2.0\"."));
        } else if (!isIdUsable) {
            failure.accept(ProtocolError.invalid(null, "The id must be a string or an integer."));
        } else if (method == null) {
            failure.accept(ProtocolError.invalid(
                    usable, "The member method is missing; this server sends no requests that could be answered."));
        } else {
            params(
                    envelope.get("params"),
                    usable,
                    params -> success.accept(new RpcMessage(usable, method, params)),
                    failure);
        }
    }

    private static void params(
            @Nullable String text, @Nullable String id, Consumer<RawObject> success, Consumer<ProtocolError> failure) {
        RawObject params;
        try {
            params = text == null ? NONE : RawObject.of(text);
        } catch (NoObject other) {
            failure.accept(ProtocolError.invalid(id, "The member params must be an object."));
            return;
        } catch (IOException impossible) {
            throw new IllegalStateException("It was parsed before.", impossible);
        }
        if (params.hasRepeated()) {
            failure.accept(ProtocolError.invalid(id, "The member params has a member twice."));
        } else {
            success.accept(params);
        }
    }

    boolean isNotification() {
        return id == null;
    }
}
