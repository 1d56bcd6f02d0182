package dev.agentpolicy.domain.usecase.connection;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The addresses to which browsers may be sent with an answer (docs/reference/connections.md, Redirects). */
final class RedirectUris {
    private static final int MAX_LENGTH = 2_000;
    private static final Pattern ASCII = Pattern.compile("[!-~]+");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Schemes of programs that have no dot, as others must, but are well known. */
    private static final Set<String> PROGRAMS = Set.of("cursor", "vscode", "vscode-insiders", "windsurf", "zed");

    /** Such as {@code com.example.app}; not {@code https.example}, which is read as a web address too easily. */
    private static final Pattern REVERSE_DOMAIN = Pattern.compile("(?!https?\\.)[a-z][a-z0-9+-]*(\\.[a-z0-9+-]+)+");

    private RedirectUris() {}

    /** Whether a client may have an address at all. */
    static boolean isAcceptable(String text) {
        URI uri = parsed(text);
        if (uri == null || uri.getRawFragment() != null || uri.getRawUserInfo() != null) {
            return false;
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        return switch (scheme) {
            case "https" -> uri.getHost() != null;
            case "http" -> isLoopback(uri);
            default ->
                PROGRAMS.contains(scheme) || REVERSE_DOMAIN.matcher(scheme).matches();
        };
    }

    /** Whether an address is a registered one. The port of a loopback address is free (RFC 8252, section 7.3). */
    static boolean matches(String registered, String sent) {
        if (!isAcceptable(sent)) {
            return false;
        }
        if (registered.equals(sent)) {
            return true;
        }
        URI known = parsed(registered);
        URI uri = parsed(sent);
        return known != null
                && uri != null
                && isLoopback(known)
                && isLoopback(uri)
                && known.getHost().equals(uri.getHost())
                && known.getRawPath().equals(uri.getRawPath())
                && Objects.equals(known.getRawQuery(), uri.getRawQuery());
    }

    /** Whether an address is one of the computer that opens it. */
    static boolean isLoopback(String text) {
        URI uri = parsed(text);
        return uri != null && isLoopback(uri);
    }

    private static boolean isLoopback(URI uri) {
        return "http".equalsIgnoreCase(uri.getScheme()) && uri.getHost() != null && LOOPBACK.contains(uri.getHost());
    }

    /** The host of a web address; of another, its scheme, since its program chose what stands where a host would. */
    static String host(String text) {
        URI uri = Objects.requireNonNull(parsed(text));
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        boolean isWeb = scheme.equals("https") || scheme.equals("http");
        return isWeb && uri.getHost() != null ? uri.getHost().toLowerCase(Locale.ROOT) : scheme;
    }

    private static @Nullable URI parsed(String text) {
        if (text.length() > MAX_LENGTH || !ASCII.matcher(text).matches()) {
            return null;
        }
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() ? uri : null;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }
}
