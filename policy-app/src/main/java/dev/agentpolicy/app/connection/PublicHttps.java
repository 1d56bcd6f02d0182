package dev.agentpolicy.app.connection;

import dev.agentpolicy.domain.account.Unavailable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls https servers whose addresses strangers choose. Only public ones are connected, and the address that is checked is
 * the one that is connected: a name that resolves to another address the next time changes nothing. Redirects are not
 * followed.
 */
public final class PublicHttps {
    private static final Logger LOG = LoggerFactory.getLogger(PublicHttps.class);
    private static final int MAX_SECONDS = 5;
    /** Calls at the same time. */
    static final int MAX_AT_ONCE = 16;

    private static final int MAX_LOOKUPS = 8;

    private final Executor threads;
    private final Supplier<SSLSocketFactory> tls;
    private final Predicate<InetAddress> isAllowed;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);
    private final Semaphore lookups = new Semaphore(MAX_LOOKUPS);

    /** What is sent and read over a connection. */
    public interface Exchange<T> {
        /**
         * Does it.
         *
         * @param endNanos when the time is over, as {@link System#nanoTime} says
         */
        T over(HttpsURLConnection connection, long endNanos) throws IOException;
    }

    /** @param threads run calls, at most 16 at once, so that one that hangs holds up nobody for longer than 5 seconds */
    public PublicHttps(Executor threads) {
        this(threads, HttpsURLConnection::getDefaultSSLSocketFactory, PublicHttps::isPublic);
    }

    /**
     * Calls other servers than public ones.
     *
     * @param tls gives the factory at the first call, since it takes a while to load
     */
    public PublicHttps(Executor threads, Supplier<SSLSocketFactory> tls, Predicate<InetAddress> isAllowed) {
        this.threads = threads;
        this.tls = tls;
        this.isAllowed = isAllowed;
    }

    /**
     * Calls a server; takes at most 5 seconds. A server that answers byte by byte holds a thread until then, and no longer:
     * its socket is closed.
     */
    public <T> T call(URI url, Exchange<T> exchange) throws IOException {
        if (!free.tryAcquire()) {
            throw new IOException(MAX_AT_ONCE + " others are called.");
        }
        CheckingSockets sockets = new CheckingSockets();
        FutureTask<T> task = new FutureTask<>(() -> callNow(url, sockets, exchange));
        try {
            threads.execute(() -> {
                try {
                    task.run();
                } finally {
                    free.release();
                }
            });
        } catch (RejectedExecutionException stopping) {
            free.release();
            throw new IOException("The service stops.", stopping);
        }
        try {
            return task.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The service stops.");
        } catch (ExecutionException failed) {
            throw new IOException(String.valueOf(failed.getCause()), failed.getCause());
        } catch (TimeoutException late) {
            throw new SocketTimeoutException("No answer in " + MAX_SECONDS + " seconds.");
        } finally {
            task.cancel(true);
            sockets.close();
        }
    }

    private static <T> T callNow(URI url, CheckingSockets sockets, Exchange<T> exchange) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        connection.setSSLSocketFactory(sockets);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(MAX_SECONDS * 1_000);
        connection.setReadTimeout(MAX_SECONDS * 1_000);
        connection.setRequestProperty("User-Agent", "agent-policy");
        try {
            return exchange.over(connection, System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS));
        } finally {
            connection.disconnect();
        }
    }

    /**
     * Whether all addresses of a host may be called. Blocks while its name is looked up, which may be slow; at most 8 threads
     * do so.
     *
     * @throws Unavailable when that many do
     */
    public boolean isCallable(String host) {
        if (!lookups.tryAcquire()) {
            throw new Unavailable("Too many names are looked up at this moment; try again.");
        }
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(isAllowed);
        } catch (UnknownHostException none) {
            return false;
        } finally {
            lookups.release();
        }
    }

    /** Whether an address is one of the public internet. */
    static boolean isPublic(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        if (address instanceof Inet6Address) {
            // Global unicast is 2000::/3. Of it, 2001::/23 and 2001:db8::/32 are special, and 2002::/16 wraps IPv4.
            boolean isSpecial = first == 0x20 && second == 0x01 && ((bytes[2] & 0xfe) == 0 || isDocumentation(bytes));
            boolean isWrapped = first == 0x20 && second == 0x02;
            return (first & 0xe0) == 0x20 && !isSpecial && !isWrapped && !(first == 0x3f && second == 0xff);
        }
        int third = bytes[2] & 0xff;
        return first != 0
                && first < 240
                && !(first == 100 && second >= 64 && second < 128)
                && !isOfAzure(bytes)
                && !(first == 192 && second == 0 && (third == 0 || third == 2))
                && !(first == 192 && second == 88 && third == 99)
                && !(first == 198 && (second == 18 || second == 19))
                && !(first == 198 && second == 51 && third == 100)
                && !(first == 203 && second == 0 && third == 113);
    }

    /** Whether it is 168.63.129.16, at which machines of Azure reach their host; it is of a public network, but not on it. */
    private static boolean isOfAzure(byte[] bytes) {
        return Arrays.equals(bytes, new byte[] {(byte) 168, 63, (byte) 129, 16});
    }

    private static boolean isDocumentation(byte[] bytes) {
        return (bytes[2] & 0xff) == 0x0d && (bytes[3] & 0xff) == 0xb8;
    }

    /** Makes plain sockets that check where they connect to, and then wraps them in TLS. */
    private final class CheckingSockets extends SSLSocketFactory {
        private final List<Socket> made = new ArrayList<>();
        private boolean isClosed;

        @Override
        public synchronized Socket createSocket() throws IOException {
            if (isClosed) {
                throw new ConnectException("The time for the call is over.");
            }
            Socket socket = new CheckedSocket();
            made.add(socket);
            return socket;
        }

        /** Ends what waits at a socket, and makes no more of them. */
        synchronized void close() {
            isClosed = true;
            for (Socket socket : made) {
                try {
                    socket.close();
                } catch (IOException failed) {
                    LOG.info("A socket could not be closed: {}", failed.getMessage());
                }
            }
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return tls.get().createSocket(socket, host, port, autoClose);
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            throw new ConnectException("Only sockets that check their address are used.");
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
            return createSocket(host, port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return createSocket(host.getHostAddress(), port);
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
            return createSocket(host.getHostAddress(), port);
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return tls.get().getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return tls.get().getSupportedCipherSuites();
        }
    }

    private final class CheckedSocket extends Socket {
        @Override
        public void connect(SocketAddress endpoint) throws IOException {
            connect(endpoint, MAX_SECONDS * 1_000);
        }

        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            InetAddress address = endpoint instanceof InetSocketAddress internet ? internet.getAddress() : null;
            if (address == null || !isAllowed.test(address)) {
                throw new ConnectException("The address is not one of the public internet.");
            }
            super.connect(endpoint, timeout);
        }
    }
}
