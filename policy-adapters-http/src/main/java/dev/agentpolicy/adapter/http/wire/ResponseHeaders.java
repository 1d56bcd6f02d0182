package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sets the headers of every answer: its request id, and restrictions for browsers. */
public final class ResponseHeaders {
    public static final String REQUEST_ID = "X-Request-Id";

    /** Restrictions for browsers. */
    private static final Map<String, String> ALWAYS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cache-Control", "no-store");

    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final HexFormat HEX = HexFormat.of();

    private ResponseHeaders() {}

    /** Sets the headers before anything else happens. Pages of the console replace some of them. */
    public static void on(Context ctx) {
        headers(ctx.req().getHeader(REQUEST_ID), ctx.res()::setHeader);
    }

    /**
     * As above, for any kind of response.
     *
     * @param sent the request id that the caller sent
     * @param header sets a header
     */
    public static void headers(@Nullable String sent, BiConsumer<String, String> header) {
        header.accept(REQUEST_ID, requestId(sent));
        ALWAYS.forEach(header);
    }

    /** The request id of a response. */
    public static @Nullable String requestId(HttpServletResponse response) {
        return response.getHeader(REQUEST_ID);
    }

    /** The caller's own id if it is well-formed, else a new one. */
    private static String requestId(@Nullable String sent) {
        if (sent != null && SANE.matcher(sent).matches()) {
            return sent;
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
    }
}
