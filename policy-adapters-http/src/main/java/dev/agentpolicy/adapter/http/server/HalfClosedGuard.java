package dev.agentpolicy.adapter.http.server;

import java.io.EOFException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Begins no call that cannot be answered. During a stop the server ends its side of a kept connection behind an answer;
 * the next call may be on its way by then, and would be decided and recorded with nobody to tell.
 */
final class HalfClosedGuard extends Handler.Wrapper {

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (request.getConnectionMetaData().getConnection().getEndPoint().isOutputShutdown()) {
            callback.failed(new EOFException("The connection takes no answer any more."));
            return true;
        }
        return super.handle(request, response, callback);
    }
}
