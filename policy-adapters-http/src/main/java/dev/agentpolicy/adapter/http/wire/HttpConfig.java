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
 * @param maxThreads how many calls may block at the same time
 * @param idleTimeout after which an idle connection is closed
 * @param answerTimeout after which a call is answered 503
 * @param drainTimeout how long a stop waits for accepted calls
 * @param maxConnections open connections; fewer if the process has too few file descriptors
 * @param appHost the only host name at which browsers reach the console; null for any
 */
public record HttpConfig(
        String host,
        int port,
        List<String> publicUrls,
        boolean trustsProxy,
        int maxThreads,
        Duration idleTimeout,
        Duration answerTimeout,
        Duration drainTimeout,
        int maxConnections,
        @Nullable String appHost) {
    private static final int DEFAULT_THREADS = 250;
    private static final int OPERATORS_THREADS = 12;
    private static final int OPERATORS_CONNECTIONS = 32;
    private static final int DEFAULT_CONNECTIONS = 4_096;
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    public HttpConfig {
        publicUrls = List.copyOf(publicUrls);
    }

    /** The default number of connections, at any host name. */
    HttpConfig(
            String host,
            int port,
            List<String> publicUrls,
            boolean trustsProxy,
            int maxThreads,
            Duration idleTimeout,
            Duration answerTimeout,
            Duration drainTimeout) {
        this(
                host,
                port,
                publicUrls,
                trustsProxy,
                maxThreads,
                idleTimeout,
                answerTimeout,
                drainTimeout,
                DEFAULT_CONNECTIONS,
                null);
    }

    /** The default limits. */
    public static HttpConfig of(String host, int port, List<String> publicUrls) {
        return new HttpConfig(
                host, port, publicUrls, false, DEFAULT_THREADS, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT);
    }

    /** The same server behind a trusted proxy. */
    public HttpConfig trustingProxy() {
        return with(port, true, maxThreads, maxConnections, appHost);
    }

    /** The same server for browsers that use this host name only. */
    public HttpConfig withAppHost(String name) {
        return with(port, trustsProxy, maxThreads, maxConnections, name);
    }

    /** The same server on another port, sized for operators. */
    public HttpConfig forOperators(int otherPort) {
        return with(otherPort, trustsProxy, OPERATORS_THREADS, OPERATORS_CONNECTIONS, appHost);
    }

    public HttpConfig withMaxConnections(int max) {
        return with(port, trustsProxy, maxThreads, max, appHost);
    }

    private HttpConfig with(
            int ofPort, boolean isProxyTrusted, int threads, int connections, @Nullable String ofAppHost) {
        return new HttpConfig(
                host,
                ofPort,
                publicUrls,
                isProxyTrusted,
                threads,
                idleTimeout,
                answerTimeout,
                drainTimeout,
                connections,
                ofAppHost);
    }

    /** How many event streams may be open: a quarter of the connections. */
    public int maxStreams() {
        return Math.max(1, maxConnections / 4);
    }

    public boolean isPublicByHttps() {
        return publicUrls.stream().anyMatch(url -> url.startsWith("https://"));
    }
}
