package dev.agentpolicy.adapter.http.wire;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the service listens.
 *
 * @param host address to bind
 * @param port port to bind, 0 for a free one
 * @param publicUrls where browsers reach the service, such as {@code https://policy.example}; when one is https, cookies
 *     are always {@code Secure}
 * @param trustsProxy whether {@code X-Forwarded-For} is believed; only behind a proxy that sets it itself
 * @param maxThreads threads that answer
 * @param idleTimeout after which a silent connection is closed
 * @param answerTimeout after which a call that is not answered is given up as unavailable
 * @param drainTimeout how long a stop waits for calls that were accepted
 * @param maxConnections connections that may be open at a time; fewer where the process has no descriptors for them
 * @param appHost name of the host at which browsers reach the console; null when any name will do
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

    /** As many connections as usual, at any name of the host. */
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

    /** The usual limits. */
    public static HttpConfig of(String host, int port, List<String> publicUrls) {
        return new HttpConfig(
                host, port, publicUrls, false, DEFAULT_THREADS, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT);
    }

    /** The same behind a proxy that says where calls come from. */
    public HttpConfig trustingProxy() {
        return with(port, true, maxThreads, maxConnections, appHost);
    }

    /** The same for browsers that call the host by this name. */
    public HttpConfig withAppHost(String name) {
        return with(port, trustsProxy, maxThreads, maxConnections, name);
    }

    /** The same on another port, for a few calls of operators. */
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

    public boolean isPublicByHttps() {
        return publicUrls.stream().anyMatch(url -> url.startsWith("https://"));
    }
}
