package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The headers that every answer carries, whatever it says: its request id, and what browsers must not do with it. */
public final class ResponseHeaders {
    public static final String REQUEST_ID = "X-Request-Id";

    /** What browsers must not do with an answer. */
    private static final Map<String, String> ALWAYS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cache-Control", "no-store");

    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final HexFormat HEX = HexFormat.of();

    private ResponseHeaders() {}

    /** Stamps an answer before anything else happens; pages replace what does not fit them. */
    public static void on(Context ctx) {
        headers(ctx.req().getHeader(REQUEST_ID), ctx.res()::setHeader);
    }

    /**
     * The same for whatever has headers.
     *
     * @param sent the id the caller sent
     * @param header takes names and values
     */
    public static void headers(@Nullable String sent, BiConsumer<String, String> header) {
        header.accept(REQUEST_ID, requestId(sent));
        ALWAYS.forEach(header);
    }

    /** The id an answer was stamped with. */
    static @Nullable String requestId(HttpServletResponse response) {
        return response.getHeader(REQUEST_ID);
    }

    /** The caller's own id if it is sane, else a new one. */
    private static String requestId(@Nullable String sent) {
        if (sent != null && SANE.matcher(sent).matches()) {
            return sent;
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong());
    }
}
