package dev.agentpolicy.app.connection;

import dev.agentpolicy.domain.port.ClientDocuments;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches client documents over https. Strangers choose the addresses, so only public ones are connected, and the address
 * that is checked is the one that is connected: a name that resolves to another address the next time changes nothing.
 */
public final class HttpsClientDocuments implements ClientDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsClientDocuments.class);
    private static final int MAX_SECONDS = 5;
    private static final int CHUNK = 8 * 1024;
    private static final int OK = 200;
    /** Documents that are fetched at the same time. */
    static final int MAX_AT_ONCE = 16;

    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[ ,])max-age=\"?([0-9]{1,9})");

    private final Executor threads;
    private final Supplier<SSLSocketFactory> tls;
    private final Predicate<InetAddress> isAllowed;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);

    /** @param threads run fetches, at most 16 at once, so that one that hangs holds up nobody for longer than 5 seconds */
    public HttpsClientDocuments(Executor threads) {
        this(threads, HttpsURLConnection::getDefaultSSLSocketFactory, HttpsClientDocuments::isPublic);
    }

    /** @param tls gives the factory when the first document is fetched, since it takes a while to load */
    HttpsClientDocuments(Executor threads, Supplier<SSLSocketFactory> tls, Predicate<InetAddress> isAllowed) {
        this.threads = threads;
        this.tls = tls;
        this.isAllowed = isAllowed;
    }

    /** A server that answers byte by byte holds a thread until the time is over, and no longer: its socket is closed then. */
    @Override
    public Optional<FetchedDocument> fetch(URI url) {
        if (!free.tryAcquire()) {
            LOG.info("The client document {} is not fetched, since {} others are.", url, MAX_AT_ONCE);
            return Optional.empty();
        }
        CheckingSockets sockets = new CheckingSockets();
        FutureTask<Optional<FetchedDocument>> task = new FutureTask<>(() -> fetchNow(url, sockets));
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
            return Optional.empty();
        }
        try {
            return task.get(MAX_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException failed) {
            LOG.info("The client document {} could not be fetched: {}", url, String.valueOf(failed.getCause()));
            return Optional.empty();
        } finally {
            task.cancel(true);
            sockets.close();
        }
    }

    private Optional<FetchedDocument> fetchNow(URI url, CheckingSockets sockets) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) url.toURL().openConnection(Proxy.NO_PROXY);
        connection.setSSLSocketFactory(sockets);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setConnectTimeout(MAX_SECONDS * 1_000);
        connection.setReadTimeout(MAX_SECONDS * 1_000);
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("User-Agent", "agent-policy");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        try {
            if (connection.getResponseCode() != OK) {
                LOG.info("The client document {} was answered with {}", url, connection.getResponseCode());
                return Optional.empty();
            }
            byte[] body = read(connection.getInputStream(), end);
            return body == null
                    ? Optional.empty()
                    : Optional.of(new FetchedDocument(
                            new String(body, StandardCharsets.UTF_8),
                            maxAge(connection.getHeaderField("Cache-Control"))));
        } finally {
            connection.disconnect();
        }
    }

    /** Null for a body that is too large, or that comes too slowly. */
    private static byte @Nullable [] read(InputStream in, long end) throws IOException {
        byte[] body = new byte[MAX_BYTES + 1];
        int length = 0;
        while (length <= MAX_BYTES && System.nanoTime() < end) {
            int read = in.read(body, length, Math.min(CHUNK, body.length - length));
            if (read < 0) {
                return Arrays.copyOf(body, length);
            }
            length += read;
        }
        return null;
    }

    private static Duration maxAge(@Nullable String header) {
        String text = header == null ? "" : header.toLowerCase(Locale.ROOT);
        Matcher age = MAX_AGE.matcher(text);
        boolean isKept = !text.contains("no-store") && !text.contains("no-cache") && age.find();
        return isKept ? Duration.ofSeconds(Long.parseLong(age.group(1))) : Duration.ZERO;
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
                throw new ConnectException("The time for the document is over.");
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
