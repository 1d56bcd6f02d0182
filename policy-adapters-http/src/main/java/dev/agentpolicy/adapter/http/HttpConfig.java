package dev.agentpolicy.adapter.http;

import java.time.Duration;
import java.util.List;

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
 */
public record HttpConfig(
        String host,
        int port,
        List<String> publicUrls,
        boolean trustsProxy,
        int maxThreads,
        Duration idleTimeout,
        Duration answerTimeout,
        Duration drainTimeout) {
    private static final int USUAL_THREADS = 250;
    private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(30);

    public HttpConfig {
        publicUrls = List.copyOf(publicUrls);
    }

    /** The usual limits. */
    public static HttpConfig of(String host, int port, List<String> publicUrls) {
        return new HttpConfig(
                host, port, publicUrls, false, USUAL_THREADS, USUAL_TIMEOUT, USUAL_TIMEOUT, USUAL_TIMEOUT);
    }

    /** The same behind a proxy that says where calls come from. */
    public HttpConfig trustingProxy() {
        return new HttpConfig(host, port, publicUrls, true, maxThreads, idleTimeout, answerTimeout, drainTimeout);
    }

    boolean isPublicByHttps() {
        return publicUrls.stream().anyMatch(url -> url.startsWith("https://"));
    }
}
