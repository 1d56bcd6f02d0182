package dev.agentpolicy.adapter.http.server;

import java.io.IOException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A connector that accepts connections up to a {@link ConnectionLimit}. */
final class LimitedConnector extends ServerConnector {
    private final ConnectionLimit limit;
    private final ConnectionFactory http;

    LimitedConnector(Server server, ConnectionLimit limit, ConnectionFactory http) {
        super(server, http);
        this.limit = limit;
        this.http = http;
        addBean(limit);
    }

    /** Another connector of the same server and the same limit, at the port that this one was bound to. */
    LimitedConnector at(String host) {
        LimitedConnector other = new LimitedConnector(getServer(), limit, http);
        other.setHost(host);
        other.setPort(getLocalPort());
        other.setAcceptQueueSize(getAcceptQueueSize());
        other.setIdleTimeout(getIdleTimeout());
        other.setShutdownIdleTimeout(getShutdownIdleTimeout());
        return other;
    }

    /** Jetty shortens the idle timeout of the connections that are open when a stop begins, and of no later one. */
    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        if (isShutdown()) {
            endPoint.setIdleTimeout(getShutdownIdleTimeout());
        }
    }

    @Override
    public void accept(int acceptor) throws IOException {
        limit.awaitRoom(this);
        super.accept(acceptor);
    }
}
