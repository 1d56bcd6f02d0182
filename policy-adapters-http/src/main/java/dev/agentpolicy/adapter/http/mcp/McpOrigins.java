package dev.agentpolicy.adapter.http.mcp;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import io.javalin.http.Context;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses pages of other sites. A page can reach a server in its user's network by pointing a name of its own at that
 * address (DNS rebinding), so a {@code Host} header that equals the origin proves nothing, unless it is an address and no
 * name.
 */
final class McpOrigins {
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.]+]");

    private final Set<String> publicHosts;

    McpOrigins(HttpConfig config) {
        publicHosts = config.publicUrls().stream()
                .map(McpOrigins::authority)
                .filter(authority -> !authority.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a browser sends the call for a page that is neither of this service nor of this machine. */
    boolean isForeign(Context ctx) {
        String origin = ctx.req().getHeader("Origin");
        if (origin == null) {
            return false;
        }
        String authority = authority(origin);
        String host = host(origin);
        boolean isOwnAddress = ADDRESS.matcher(host).matches()
                && authority.equalsIgnoreCase(ctx.req().getHeader("Host"));
        return !LOCAL.contains(host) && !publicHosts.contains(authority) && !isOwnAddress;
    }

    private static String host(String origin) {
        URI uri = parsed(origin);
        return uri == null || uri.getHost() == null ? "" : uri.getHost();
    }

    /** Host and port as in a Host header; empty if there is none. */
    private static String authority(String url) {
        URI uri = parsed(url);
        return uri == null || uri.getHost() == null
                ? ""
                : uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    }

    private static @Nullable URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException malformed) {
            return null;
        }
    }
}
