package dev.agentpolicy.adapter.http.server;

import java.io.EOFException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Drops calls that cannot be answered. During a stop the server closes its side of a persistent connection after an
 * answer. A call that is already on its way would be decided and recorded, and its client would never see the answer.
 */
final class HalfClosedGuard extends Handler.Wrapper {

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getConnectionMetaData().getConnection().getEndPoint().isOutputShutdown()) {
            callback.failed(new EOFException("The connection can no longer carry an answer."));
            return true;
        }
        return super.handle(request, response, callback);
    }
}
