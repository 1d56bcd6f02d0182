package dev.agentpolicy.adapter.http.server;

import java.io.EOFException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Drops calls that cannot be answered, and hides a header from the router.
 *
 * <p>A call that cannot be answered would be decided and recorded, and its client would never see the answer. During a stop
 * the server closes its side of a persistent connection after an answer, while the next call may be on its way. A client
 * that has disconnected may leave thousands of calls behind that were sent one after the other.
 *
 * <p>The router would obey {@code X-HTTP-Method-Override}. A proxy, or the check of other sites, that admits a call by the
 * method of its request line would then have checked the wrong method.
 */
final class RequestGuard extends Handler.Wrapper {
    private static final String OVERRIDE = "X-HTTP-Method-Override";

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        if (endPoint.isOutputShutdown() || hasFailed(endPoint)) {
            callback.failed(new EOFException("The connection can no longer carry an answer."));
            return true;
        }
        return super.handle(request.getHeaders().contains(OVERRIDE) ? plain(request) : request, response, callback);
    }

    private static boolean hasFailed(EndPoint endPoint) {
        return endPoint instanceof AbstractEndPoint written
                && written.getWriteFlusher().isFailed();
    }

    private static Request plain(Request request) {
        HttpFields.Mutable headers = HttpFields.build();
        for (HttpField field : request.getHeaders()) {
            if (!field.is(OVERRIDE)) {
                headers.add(field);
            }
        }
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return headers;
            }
        };
    }
}
