package dev.agentpolicy.adapter.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SelectableChannel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of connections a server keeps open. When it is reached, an idle connection is closed for each new one, so
 * that clients that hold connections and say nothing cannot keep others, or a health check, from connecting.
 *
 * <p>The connection that goes is the one that has been silent for longest among those of the client address that holds
 * most. Connections on which a call is worked on are never closed; while there are no others, new ones wait in the queue
 * of the operating system.
 *
 * <p>Thread-safe. {@link #awaitRoom} blocks its thread, which is the one that accepts connections.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);

    /** How long a client may be slow to send the rest of a call, or to read its answer, when room is needed. */
    private static final long MAX_SLOW_MILLIS = 1_000;

    private static final long PAUSE_MILLIS = 100;

    private final int max;
    private final RepeatedWarning warning = new RepeatedWarning(LOG, "more times a connection found no room");
    private final Set<SelectableChannel> open = new HashSet<>();

    ConnectionLimit(int max) {
        this.max = max;
    }

    /** Returns when there is room for another connection, after closing one if necessary. */
    void awaitRoom(ServerConnector connector) throws IOException {
        try {
            while (isFull()) {
                makeRoom(connector);
                awaitClosed();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }

    /** Closes the connection that can best be done without, if there is one. */
    void makeRoom(ServerConnector connector) {
        String what = "There are " + max + " connections, as many as there can be";
        Optional<AbstractEndPoint> expendable = expendable(connector);
        if (expendable.isPresent()) {
            warning.warn(what, "the one that was idle for longest is closed");
            close(expendable.get(), connector);
        } else {
            warning.warn(what, "calls are worked on in all of them, and new ones wait");
        }
    }

    /** Closing a connection fails the call that is under way on it, which may run code of its own. */
    private static void close(AbstractEndPoint endPoint, ServerConnector connector) {
        Connection connection = endPoint.getConnection();
        if (connection instanceof PromptConnection busy && busy.isCallUnderWay()) {
            connector.getExecutor().execute(connection::close);
        } else {
            connection.close();
        }
    }

    private static Optional<AbstractEndPoint> expendable(ServerConnector connector) {
        List<AbstractEndPoint> all = connector.getConnectedEndPoints().stream()
                .filter(endPoint -> endPoint.getConnection() instanceof PromptConnection connection
                        && endPoint.isOpen()
                        && connection.isExpendable(MAX_SLOW_MILLIS))
                .map(AbstractEndPoint.class::cast)
                .toList();
        Map<String, Integer> held = new HashMap<>();
        all.forEach(endPoint -> held.merge(client(endPoint), 1, Integer::sum));
        return all.stream()
                .max(Comparator.comparingInt((AbstractEndPoint endPoint) -> held.getOrDefault(client(endPoint), 0))
                        .thenComparingLong(AbstractEndPoint::getIdleFor));
    }

    private static String client(AbstractEndPoint endPoint) {
        SocketAddress remote = endPoint.getRemoteSocketAddress();
        return remote instanceof InetSocketAddress inet ? inet.getHostString() : String.valueOf(remote);
    }

    private synchronized boolean isFull() {
        return open.size() >= max;
    }

    private synchronized void awaitClosed() throws InterruptedException {
        if (isFull()) {
            wait(PAUSE_MILLIS);
        }
    }

    @Override
    public synchronized void onAccepting(SelectableChannel channel) {
        open.add(channel);
    }

    @Override
    public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
        onClosed(channel);
    }

    @Override
    public synchronized void onClosed(SelectableChannel channel) {
        open.remove(channel);
        notifyAll();
    }
}
