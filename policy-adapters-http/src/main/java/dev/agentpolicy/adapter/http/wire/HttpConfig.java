package dev.agentpolicy.adapter.http.wire;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server listens.
 *
 * @param host address to bind
 * @param port port to bind; 0 for a free one
 * @param publicUrls where browsers reach the service, such as {@code https://policy.example}; if one is https, cookies
 *     are always {@code Secure}
 * @param trustsProxy whether {@code X-Forwarded-For} is used; only behind a proxy that sets it
 * @param limits how much it takes, and for how long
 * @param appHost the only host name at which browsers reach the console; null for any
 * @param address by which programs of users know the service
 */
public record HttpConfig(
        String host,
        int port,
        List<String> publicUrls,
        boolean trustsProxy,
        Limits limits,
        @Nullable String appHost,
        ServiceAddress address) {
    private static final int OPERATORS_THREADS = 12;
    private static final int OPERATORS_CONNECTIONS = 32;

    /**
     * The limits of a server.
     *
     * @param maxThreads how many calls may block at the same time
     * @param maxConnections open connections; fewer if the process has too few file descriptors
     * @param idleTimeout after which an idle connection is closed
     * @param answerTimeout after which a call is answered 503
     * @param drainTimeout how long a stop waits for accepted calls
     */
    public record Limits(
            int maxThreads, int maxConnections, Duration idleTimeout, Duration answerTimeout, Duration drainTimeout) {
        private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
        private static final Limits STANDARD = new Limits(250, 4_096, HALF_A_MINUTE, HALF_A_MINUTE, HALF_A_MINUTE);

        private Limits with(int threads, int connections) {
            return new Limits(threads, connections, idleTimeout, answerTimeout, drainTimeout);
        }

        /** How many event streams may be open: a quarter of the connections. */
        public int maxStreams() {
            return Math.max(1, maxConnections / 4);
        }
    }

    public HttpConfig {
        publicUrls = List.copyOf(publicUrls);
    }

    /** The default limits. */
    public static HttpConfig of(String host, int port, List<String> publicUrls) {
        return new HttpConfig(host, port, publicUrls, false, Limits.STANDARD, null, new ServiceAddress(null, null));
    }

    /** The same server behind a trusted proxy. */
    public HttpConfig trustingProxy() {
        return new HttpConfig(host, port, publicUrls, true, limits, appHost, address);
    }

    /** The same server for browsers that use this host name only. */
    public HttpConfig withAppHost(String name) {
        return new HttpConfig(host, port, publicUrls, trustsProxy, limits, name, address);
    }

    /** The same server, which programs of users know by an address. */
    public HttpConfig withAddress(ServiceAddress known) {
        return new HttpConfig(host, port, publicUrls, trustsProxy, limits, appHost, known);
    }

    /** The same server on another port, sized for operators. */
    public HttpConfig forOperators(int otherPort) {
        Limits few = limits.with(OPERATORS_THREADS, OPERATORS_CONNECTIONS);
        return new HttpConfig(host, otherPort, publicUrls, trustsProxy, few, appHost, address);
    }

    public HttpConfig withMaxConnections(int max) {
        return withLimits(limits.with(limits.maxThreads, max));
    }

    HttpConfig withLimits(int threads, Duration idle, Duration answer, Duration drain) {
        return withLimits(new Limits(threads, limits.maxConnections, idle, answer, drain));
    }

    private HttpConfig withLimits(Limits other) {
        return new HttpConfig(host, port, publicUrls, trustsProxy, other, appHost, address);
    }

    public boolean isPublicByHttps() {
        return publicUrls.stream().anyMatch(url -> url.startsWith("https://"));
    }
}
