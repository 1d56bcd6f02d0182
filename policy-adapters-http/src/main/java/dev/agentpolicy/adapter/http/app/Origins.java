package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.adapter.http.wire.ServiceAddress;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.usecase.connection.RequestConnection;
import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes calls of the console from those of other sites, by headers that browsers set and pages cannot forge.
 */
public final class Origins {
    private static final String LOCALHOST = "localhost";
    private static final String HOST_PREFIX = "__Host-";
    private static final String CONNECTING = "policy_connect";
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
        return appHost != null
                && !appHost.equalsIgnoreCase(ServiceAddress.hostName(ctx.req().getHeader("Host")));
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
     * The name of a cookie. Over https it begins with {@code __Host-}: browsers accept such cookies from this host only, so
     * neither a sibling domain nor a page loaded over http can plant one. Over plain http browsers refuse the prefix.
     */
    String cookieName(Context ctx, String plainName) {
        return isKnownHttps(ctx) ? HOST_PREFIX + plainName : plainName;
    }

    /** The values of all cookies of a name, in the order in which they were sent. */
    List<String> cookies(Context ctx, String plainName) {
        Cookie[] sent = ctx.req().getCookies();
        String name = cookieName(ctx, plainName);
        return sent == null
                ? List.of()
                : Stream.of(sent)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .toList();
    }

    /** Sets a cookie that no script can read. */
    void setCookie(Context ctx, String plainName, String value, long maxAgeSeconds, String sameSite) {
        String secure = isHttps(ctx) ? "; Secure" : "";
        ctx.res()
                .addHeader(
                        "Set-Cookie",
                        cookieName(ctx, plainName) + "=" + value + "; Path=/; Max-Age=" + maxAgeSeconds
                                + "; HttpOnly; SameSite=" + sameSite + secure);
    }

    /** The token by which the browser is known that asked for a connection; null unless there is exactly one. */
    public @Nullable String connecting(Context ctx) {
        List<String> tokens = cookies(ctx, CONNECTING);
        return tokens.size() == 1 && Sha256.isHex(tokens.get(0)) ? tokens.get(0) : null;
    }

    /**
     * Has the browser keep that token. It is sent when a program opens the browser here, which a strict cookie would not be,
     * so that two requests of one browser share a token.
     */
    public void setConnecting(Context ctx, String token) {
        setCookie(ctx, CONNECTING, token, RequestConnection.MAX_AGE.toSeconds(), "Lax");
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

    /** The address of the console without a path: that of {@code POLICY_APP_URL}, else that of the call. */
    String console(Context ctx) {
        return config.appHost() == null
                ? (isHttps(ctx) ? "https://" : "http://") + ctx.req().getHeader("Host")
                : party(ctx).origin();
    }

    /** The origin of a URL: scheme, host and port. */
    static String origin(String url) {
        int host = url.indexOf("://") + "://".length();
        int path = url.indexOf('/', host);
        return (path < 0 ? url : url.substring(0, path)).toLowerCase(Locale.ROOT);
    }
}
