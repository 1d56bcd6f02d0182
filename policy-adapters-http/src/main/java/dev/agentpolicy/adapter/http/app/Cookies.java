package dev.agentpolicy.adapter.http.app;

import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads and writes the cookies of the console (docs/reference/sign-in.md).
 *
 * <p>Over https their names begin with {@code __Host-}. Browsers accept such cookies from this host only, so neither a
 * sibling domain nor a page loaded over http can plant one. Over plain http browsers refuse the prefix, so the names
 * have none.
 */
final class Cookies {
    private static final String HOST_PREFIX = "__Host-";
    private static final int MAX_TOKEN = 128;

    private final Origins origins;

    Cookies(Origins origins) {
        this.origins = origins;
    }

    /** A purpose of cookies, with the name without prefix. */
    enum CookieKind {
        SESSION("policy_session"),
        DEVICE("policy_device");

        private final String plainName;

        CookieKind(String plainName) {
            this.plainName = plainName;
        }
    }

    /**
     * The values of all cookies of a kind, in the order in which they were sent. More than one is a sign of an attack.
     */
    List<String> values(Context ctx, CookieKind kind) {
        Cookie[] sent = ctx.req().getCookies();
        String name = name(ctx, kind);
        return sent == null
                ? List.of()
                : Stream.of(sent)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .toList();
    }

    /** The token in the cookie of a kind, if there is exactly one. */
    Optional<String> token(Context ctx, CookieKind kind) {
        List<String> values = values(ctx, kind);
        return values.size() == 1 ? values.stream().filter(Cookies::isToken).findFirst() : Optional.empty();
    }

    static boolean isToken(String value) {
        return !value.isEmpty() && value.length() <= MAX_TOKEN;
    }

    /** Adds a cookie to the response. */
    void set(Context ctx, CookieKind kind, String token, long maxAgeSeconds) {
        String secure = origins.isHttps(ctx) ? "; Secure" : "";
        ctx.res()
                .addHeader(
                        "Set-Cookie",
                        name(ctx, kind) + "=" + token + "; Path=/; Max-Age=" + maxAgeSeconds
                                + "; HttpOnly; SameSite=Strict" + secure);
    }

    private String name(Context ctx, CookieKind kind) {
        return origins.isKnownHttps(ctx) ? HOST_PREFIX + kind.plainName : kind.plainName;
    }
}
