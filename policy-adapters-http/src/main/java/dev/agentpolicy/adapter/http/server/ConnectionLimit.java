package dev.agentpolicy.adapter.http.server;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.agentpolicy.adapter.http.wire.RepeatedWarning;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
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

    /** Enough descriptors for any number of connections. */
    private static final long PLENTY = 16_384;

    private final int max;
    private final LongSupplier freeDescriptors;
    private final RepeatedWarning warning = new RepeatedWarning(LOG, "more times the limit of connections was reached");
    private final Set<SelectableChannel> open = new HashSet<>();

    ConnectionLimit(int max) {
        this.max = max;
        this.freeDescriptors = freeDescriptors();
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

    /** The file descriptors that this process can still open. Each connection uses one. */
    private static LongSupplier freeDescriptors() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            long max = unix.getMaxFileDescriptorCount();
            // Listing the open ones takes a while, so they are counted only where they could run out.
            return max <= 0 || max >= PLENTY ? () -> PLENTY : () -> max - unix.getOpenFileDescriptorCount();
        }
        return () -> PLENTY;
    }

    /** A connector that accepts connections up to a {@link ConnectionLimit}. */
    static final class LimitedConnector extends ServerConnector {
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
}
