package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The addresses by which the programs of users know the service (docs/reference/connections.md, Addresses). Without settings
 * they are those of the call, if it comes from the same machine: anybody else could have chosen the {@code Host} header.
 *
 * @param app where browsers reach the console; null if that is not set
 * @param base where agents reach the service; null for the origin of {@code app}
 */
public record ServiceAddress(@Nullable URI app, @Nullable URI base) {
    /** The path of the Model Context Protocol. */
    public static final String MCP = "/mcp";

    /** Where the metadata of a protected resource are, before the path of the resource (RFC 9728, section 3). */
    public static final String RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

    /** The scopes that a program is told to ask for. */
    public static final String SCOPES = "read validate propose";

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]{1,5})?", Pattern.CASE_INSENSITIVE);

    /** The path of the base address; empty for none. */
    public String basePath() {
        return app == null || base == null ? "" : base.getRawPath();
    }

    /** The address of the authorization server, for a call; null where there is none. */
    public @Nullable String issuer(Context ctx) {
        if (app != null) {
            return origin(app);
        }
        String host = ctx.req().getHeader("Host");
        return host != null && LOOPBACK.matcher(host).matches() ? "http://" + host.toLowerCase(Locale.ROOT) : null;
    }

    /** What tokens are for, for a call with an issuer: the Model Context Protocol, and the whole service. */
    public List<String> resources(String issuer) {
        String whole = app == null || base == null ? issuer : origin(base) + base.getRawPath();
        return List.of(whole + MCP, whole);
    }

    /** Whether a call names a host that the service has by its settings; any does where it has none. */
    public boolean isNamed(Context ctx) {
        if (app == null) {
            return true;
        }
        String host = hostName(ctx.req().getHeader("Host"));
        return Stream.of(app, base == null ? app : base)
                .anyMatch(url -> url.getHost().equalsIgnoreCase(host));
    }

    /**
     * The challenge to a call without a credential that works (RFC 6750, section 3; RFC 9728, section 5.1).
     *
     * @param error the members about an error, with a comma at their end; empty for none
     * @param scopes what the credential must be good for
     */
    public String challenge(Context ctx, String error, @Nullable String scopes) {
        String issuer = issuer(ctx);
        if (issuer == null) {
            String members = error + (scopes == null || error.isEmpty() ? "" : " scope=\"" + scopes + "\"");
            return "Bearer" + (members.isEmpty() ? "" : " " + members.replaceFirst(",$", ""));
        }
        List<String> resources = resources(issuer);
        URI resource = URI.create((ctx.path() + "/").startsWith(MCP + "/") ? resources.get(0) : resources.get(1));
        String metadata = origin(resource) + RESOURCE_METADATA + resource.getRawPath();
        return "Bearer " + (error.isEmpty() ? "" : error + " ") + "resource_metadata=\"" + metadata + "\", scope=\""
                + (scopes == null ? SCOPES : scopes) + "\"";
    }

    private static String origin(URI url) {
        return (url.getScheme() + "://" + url.getRawAuthority()).toLowerCase(Locale.ROOT);
    }

    /** The name in a Host header, without port and trailing dot. */
    public static String hostName(@Nullable String header) {
        String host = header == null ? "" : header.trim();
        int end = host.startsWith("[") ? host.indexOf(']') + 1 : host.indexOf(':');
        String name = end > 0 ? host.substring(0, end) : host;
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }
}
