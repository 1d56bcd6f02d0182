package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import io.javalin.http.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes calls of the console from those of other sites, by headers that browsers set and pages cannot forge.
 */
public final class Origins {
    private static final String LOCALHOST = "localhost";
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final HttpConfig config;

    public Origins(HttpConfig config) {
        this.config = config;
    }

    /**
     * Whether another site tries to change something. A call with neither header comes from a script, not from a site.
     */
    boolean isForeign(Context ctx) {
        String site = ctx.req().getHeader("Sec-Fetch-Site");
        String origin = ctx.req().getHeader("Origin");
        return !READING.contains(ctx.req().getMethod())
                && (site != null && !OWN_SITES.contains(site) || origin != null && !isOwn(origin, ctx));
    }

    /**
     * Whether a call names a host other than the one at which browsers reach the console. An attacker can point a name
     * at this address; pages of that name would then have the same origin as the answers they read.
     */
    public boolean isMisdirected(Context ctx) {
        String appHost = config.appHost();
        return appHost != null && !appHost.equalsIgnoreCase(hostName(ctx.req().getHeader("Host")));
    }

    /** The name in a Host header, without port and trailing dot. */
    private static String hostName(@Nullable String header) {
        String host = header == null ? "" : header.trim();
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        String name = end > 0 ? host.substring(0, end) : host;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /**
     * Whether the browser appears to have used https. A caller can claim this in a header, but only for its own call;
     * pages of other sites cannot.
     */
    boolean isHttps(Context ctx) {
        return isKnownHttps(ctx) || isForwardedHttps(ctx);
    }

    /** Whether the browser certainly used https, judged by the public address, a trusted proxy, or the connection. */
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

    /**
     * The console as passkeys know it (docs/reference/passkeys.md): at the address of {@code POLICY_APP_URL}, else at
     * localhost and the port of the call.
     */
    RelyingParty party(Context ctx) {
        String appHost = config.appHost();
        return config.publicUrls().stream()
                .filter(url -> appHost != null)
                .map(URI::create)
                .filter(url -> url.getHost() != null && url.getHost().equalsIgnoreCase(appHost))
                .findFirst()
                .map(url -> new RelyingParty(url.getHost().toLowerCase(Locale.ROOT), origin(url.toString())))
                .orElseGet(() -> new RelyingParty(
                        LOCALHOST, "http://" + LOCALHOST + ":" + ctx.req().getLocalPort()));
    }

    /** The origin of a URL: scheme, host and port. */
    static String origin(String url) {
        int host = url.indexOf("://") + "://".length();
        int path = url.indexOf('/', host);
        return (path < 0 ? url : url.substring(0, path)).toLowerCase(Locale.ROOT);
    }
}
