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
import java.util.stream.Stream;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the connections of a server, to fewer than configured if the process runs out of file descriptors. At the
 * limit, an idle connection is closed for each new one, so that clients that hold idle connections cannot keep others,
 * or a health check, from connecting.
 *
 * <p>The connection that is closed belongs to the client address with the most connections, and has been idle for
 * longest. A connection whose call is being processed is never closed; if there are no others, new connections wait in
 * the queue of the operating system.
 *
 * <p>Thread-safe. {@link #awaitRoom} blocks; the acceptor thread calls it.
 */
final class ConnectionLimit implements SelectorManager.AcceptListener {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimit.class);

    /** How long a client may take to send the rest of a call or to read its answer when room is needed. */
    private static final long MAX_SLOW_MILLIS = 1_000;

    private static final long PAUSE_MILLIS = 100;

    /** Descriptors reserved for database connections, database files and everything else. */
    static final int RESERVED_DESCRIPTORS = 48;

    /** Kept even if other parts of the process use up the descriptors. */
    private static final int MIN_CONNECTIONS = 16;

    private final int max;
    private final LongSupplier freeDescriptors;
    private final RepeatedWarning warning = new RepeatedWarning(LOG, "more times the limit of connections was reached");
    private final Set<SelectableChannel> open = new HashSet<>();

    /**
     * Creates a limit.
     *
     * @param freeDescriptors file descriptors that the process can still open
     */
    ConnectionLimit(int max, LongSupplier freeDescriptors) {
        this.max = max;
        this.freeDescriptors = freeDescriptors;
    }

    /** Waits until there is room for another connection; closes one if necessary. */
    void awaitRoom(ServerConnector connector) throws IOException {
        int connections = open();
        int maxOthers = connections < max ? maxOthers(connections) : max - 1;
        try {
            while (open() > maxOthers) {
                makeRoom(connector);
                awaitAtMost(maxOthers);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        }
    }

    /**
     * How many connections may exist beside a new one. A closed connection frees its descriptor a moment later, so
     * connections that are being closed are not counted again.
     */
    private int maxOthers(int connections) {
        long free = freeDescriptors.getAsLong();
        if (connections < MIN_CONNECTIONS || free >= RESERVED_DESCRIPTORS) {
            return connections;
        }
        return free >= RESERVED_DESCRIPTORS / 2 ? connections - 1 : connections - 2;
    }

    /** Closes the most expendable connection, if there is one. */
    private void makeRoom(ServerConnector connector) {
        String what = "There are " + open() + " connections, which is the limit";
        Optional<AbstractEndPoint> expendable = expendable(connector);
        if (expendable.isPresent()) {
            warning.warn(what, "the connection that was idle for longest is closed");
            close(expendable.get(), connector);
        } else {
            warning.warn(what, "all of them have calls under way, so new connections wait");
        }
    }

    /** Closing a connection fails its call, which may run code of the application. */
    private static void close(AbstractEndPoint endPoint, ServerConnector connector) {
        Connection connection = endPoint.getConnection();
        if (connection instanceof HeaderTimeoutConnection busy && busy.isCallUnderWay()) {
            connector.getExecutor().execute(connection::close);
        } else {
            connection.close();
        }
    }

    private static Optional<AbstractEndPoint> expendable(ServerConnector connector) {
        List<AbstractEndPoint> all = Stream.of(connector.getServer().getConnectors())
                .flatMap(each -> each.getConnectedEndPoints().stream())
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

    @SuppressWarnings("WaitNotInLoop") // The caller loops and closes another connection each time.
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
