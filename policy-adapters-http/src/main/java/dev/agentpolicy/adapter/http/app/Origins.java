package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells calls of our own pages from those of others, by what browsers say and pages cannot forge. */
public final class Origins {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final HttpConfig config;

    public Origins(HttpConfig config) {
        this.config = config;
    }

    /** Whether another site wants something changed. A script that sends neither header is no site. */
    boolean isForeign(Context ctx) {
        String site = ctx.req().getHeader("Sec-Fetch-Site");
        String origin = ctx.req().getHeader("Origin");
        return !READING.contains(ctx.req().getMethod())
                && (site != null && !OWN_SITES.contains(site) || origin != null && !isOwn(origin, ctx));
    }

    /**
     * Whether a call names another host than the one at which browsers reach the console. A page of a name that an
     * attacker lets point here would be of the same origin as what it asks for.
     */
    public boolean isMisdirected(Context ctx) {
        String appHost = config.appHost();
        return appHost != null && !appHost.equalsIgnoreCase(hostName(ctx.req().getHeader("Host")));
    }

    /** The name in a Host header: without a port, and without the dot that may end it. */
    private static String hostName(@Nullable String header) {
        String host = header == null ? "" : header.trim();
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        String name = end > 0 ? host.substring(0, end) : host;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /**
     * Whether the browser seems to have called by https. Any caller can claim that in a header, but for its own call
     * only: the pages of another site cannot.
     */
    boolean isHttps(Context ctx) {
        return isKnownHttps(ctx) || isForwardedHttps(ctx);
    }

    /** Whether the browser called by https: by the public address, a trusted proxy, or the connection itself. */
    boolean isKnownHttps(Context ctx) {
        return config.isPublicByHttps()
                || config.trustsProxy() && isForwardedHttps(ctx)
                || ctx.req().isSecure();
    }

    private static boolean isForwardedHttps(Context ctx) {
        return "https".equalsIgnoreCase(ctx.req().getHeader("X-Forwarded-Proto"));
    }

    private boolean isOwn(String origin, Context ctx) {
        String host = ctx.req().getHeader("Host");
        String asked = (isHttps(ctx) ? "https://" : "http://") + host;
        return host != null && origin.equalsIgnoreCase(asked)
                || config.publicUrls().stream().map(Origins::origin).anyMatch(origin::equalsIgnoreCase);
    }

    /** The origin of a page: scheme, host and port. */
    private static String origin(String url) {
        int host = url.indexOf("://") + "://".length();
        int path = url.indexOf('/', host);
        return (path < 0 ? url : url.substring(0, path)).toLowerCase(Locale.ROOT);
    }
}
