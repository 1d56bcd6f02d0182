package dev.agentpolicy.adapter.http.server;

import java.io.IOException;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A connector that accepts connections up to a {@link ConnectionLimit}. */
final class LimitedConnector extends ServerConnector {
    private final ConnectionLimit limit;

    LimitedConnector(Server server, ConnectionLimit limit, ConnectionFactory http) {
        super(server, http);
        this.limit = limit;
        addBean(limit);
    }

    @Override
    public void accept(int acceptor) throws IOException {
        limit.awaitRoom(this);
        super.accept(acceptor);
    }
}
