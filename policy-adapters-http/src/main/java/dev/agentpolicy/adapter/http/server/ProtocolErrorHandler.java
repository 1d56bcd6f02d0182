package dev.agentpolicy.adapter.http.server;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.ResponseHeaders;
import java.nio.ByteBuffer;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers requests that are no valid HTTP and reach no route, with the same error body. */
final class ProtocolErrorHandler extends ErrorHandler {
    private static final int BAD_REQUEST = 400;
    private static final int FIRST_OF_THE_SERVER = 500;

    /** Unknown methods, codings and versions. HTTP counts them as errors of the server, but the client caused them. */
    private static final Set<Integer> OF_THE_CALLER = Set.of(501, 505);

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (OF_THE_CALLER.contains(response.getStatus())) {
            response.setStatus(BAD_REQUEST);
        }
        ResponseHeaders.headers(request.getHeaders().get(ResponseHeaders.REQUEST_ID), response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        String id = response.getHeaders().get(ResponseHeaders.REQUEST_ID);
        byte[] json = JsonWriter.object(out -> answer(response.getStatus()).write(out, id));
        response.write(true, ByteBuffer.wrap(json), callback);
        return true;
    }

    private static ErrorResponse answer(int status) {
        if (status == ErrorCode.REQUEST_TIMEOUT.status()) {
            return ErrorResponse.of(
                    ErrorCode.REQUEST_TIMEOUT, "The head of the request did not arrive in time; send it again.");
        }
        return status >= FIRST_OF_THE_SERVER
                ? ErrorResponse.internal()
                : ErrorResponse.of(
                        ErrorCode.BAD_REQUEST, "The request is not well-formed HTTP, or its headers are too large.");
    }
}
