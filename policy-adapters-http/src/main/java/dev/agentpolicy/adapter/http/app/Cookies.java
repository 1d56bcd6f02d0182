package dev.agentpolicy.adapter.http.app;

import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The cookies of the console (docs/reference/sign-in.md).
 *
 * <p>Behind https their names begin with {@code __Host-}, so that a browser takes them from this very host only: neither a
 * sibling domain nor a page read by http can plant one. On plain http, where browsers refuse that prefix, the names have
 * none.
 */
final class Cookies {
    private static final String HOST_PREFIX = "__Host-";
    private static final int MAX_TOKEN = 128;

    private final Origins origins;

    Cookies(Origins origins) {
        this.origins = origins;
    }

    /** What a cookie is for, by its name without prefix. */
    enum Kind {
        SESSION("policy_session"),
        DEVICE("policy_device");

        private final String plainName;

        Kind(String plainName) {
            this.plainName = plainName;
        }
    }

    /** The values of all cookies of a kind, in the order they came; more than one is a sign of an attack. */
    List<String> values(Context ctx, Kind kind) {
        Cookie[] sent = ctx.req().getCookies();
        String name = name(ctx, kind);
        return sent == null
                ? List.of()
                : Stream.of(sent)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .toList();
    }

    /** The token of the only cookie of a kind. */
    Optional<String> token(Context ctx, Kind kind) {
        List<String> values = values(ctx, kind);
        return values.size() == 1 ? values.stream().filter(Cookies::isToken).findFirst() : Optional.empty();
    }

    static boolean isToken(String value) {
        return !value.isEmpty() && value.length() <= MAX_TOKEN;
    }

    /** Adds a cookie to the answer. */
    void set(Context ctx, Kind kind, String token, long maxAgeSeconds) {
        String secure = origins.isHttps(ctx) ? "; Secure" : "";
        ctx.res()
                .addHeader(
                        "Set-Cookie",
                        name(ctx, kind) + "=" + token + "; Path=/; Max-Age=" + maxAgeSeconds
                                + "; HttpOnly; SameSite=Strict" + secure);
    }

    private String name(Context ctx, Kind kind) {
        return origins.isKnownHttps(ctx) ? HOST_PREFIX + kind.plainName : kind.plainName;
    }
}
