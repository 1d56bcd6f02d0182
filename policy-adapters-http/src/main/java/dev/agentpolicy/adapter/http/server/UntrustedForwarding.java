package dev.agentpolicy.adapter.http.server;

import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once if {@code X-Forwarded-For} arrives although no proxy is trusted. Behind a proxy all callers share its
 * address, and with it the limits of one address.
 */
final class UntrustedForwarding extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(UntrustedForwarding.class);

    private final AtomicBoolean isWarned = new AtomicBoolean();

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isWarned.get()
                && request.getHeaders().contains("X-Forwarded-For")
                && isWarned.compareAndSet(false, true)) {
            LOG.warn(
                    "A call came with X-Forwarded-For, which is ignored, since POLICY_TRUST_PROXY is no. Behind a proxy all"
                            + " callers then share one address, and one of them can use up the sign-ups and sign-ins of all."
                            + " Set POLICY_TRUST_PROXY=yes if this node can be reached only through the proxy.");
        }
        return super.handle(request, response, callback);
    }
}
