package dev.agentpolicy.adapter.http.server;

import dev.agentpolicy.adapter.http.wire.RepeatedWarning;
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
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of connections a server keeps open, which is lower where file descriptors run out before. When it is reached, an idle connection is closed for each new one, so
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

    /** Descriptors kept free for connections to databases, for their files, and for whatever else is opened. */
    static final int RESERVED_DESCRIPTORS = 48;

    /** Kept even where descriptors are short for another reason. */
    private static final int MIN_CONNECTIONS = 16;

    private final int max;
    private final LongSupplier freeDescriptors;
    private final RepeatedWarning warning = new RepeatedWarning(LOG, "more times a connection found no room");
    private final Set<SelectableChannel> open = new HashSet<>();

    /**
     * A limit.
     *
     * @param freeDescriptors file descriptors that the process may still open
     */
    ConnectionLimit(int max, LongSupplier freeDescriptors) {
        this.max = max;
        this.freeDescriptors = freeDescriptors;
    }

    /** Returns when there is room for another connection, after closing one if necessary. */
    void awaitRoom(ServerConnector connector) throws IOException {
        int connections = open();
        int most = connections < max ? most(connections) : max - 1;
        try {
            while (open() > most) {
                makeRoom(connector);
                awaitAtMost(most);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }

    /**
     * How many connections there may be beside a new one. The descriptor of a closed connection is free a moment later,
     * so what is closed now is not counted again by asking for it.
     */
    private int most(int connections) {
        long free = freeDescriptors.getAsLong();
        if (connections < MIN_CONNECTIONS || free >= RESERVED_DESCRIPTORS) {
            return connections;
        }
        return free >= RESERVED_DESCRIPTORS / 2 ? connections - 1 : connections - 2;
    }

    /** Closes the connection that can best be done without, if there is one. */
    private void makeRoom(ServerConnector connector) {
        String what = "There are " + open() + " connections, as many as there can be";
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
        if (connection instanceof HeaderTimeoutConnection busy && busy.isCallUnderWay()) {
            connector.getExecutor().execute(connection::close);
        } else {
            connection.close();
        }
    }

    private static Optional<AbstractEndPoint> expendable(ServerConnector connector) {
        List<AbstractEndPoint> all = connector.getConnectedEndPoints().stream()
                .filter(endPoint -> endPoint.getConnection() instanceof HeaderTimeoutConnection connection
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

    private synchronized int open() {
        return open.size();
    }

    private synchronized void awaitAtMost(int connections) throws InterruptedException {
        if (open.size() > connections) {
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
