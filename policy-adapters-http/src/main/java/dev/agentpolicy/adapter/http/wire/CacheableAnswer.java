package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.document.Sha256;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;

/**
 * A public answer that clients may cache for five minutes and then revalidate.
 *
 * @param json its bytes
 * @param tag its strong entity tag
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by its tag only.
public record CacheableAnswer(byte[] json, String tag) {
    private static final String FIVE_MINUTES = "public, max-age=300";

    public static CacheableAnswer of(byte[] json) {
        return new CacheableAnswer(json, "\"" + Sha256.hex(new String(json, StandardCharsets.UTF_8)) + "\"");
    }

    /** Answers 200, or 304 to a client that has this version. */
    public void answer(Context ctx) {
        ctx.header("Cache-Control", FIVE_MINUTES).header("ETag", tag);
        if (RequestHeaders.ifNoneMatch(ctx, tag::equals).isPresent()) {
            ctx.status(304);
            ctx.res().setContentLength(json.length);
        } else {
            Reply.bytes(ctx, 200, json);
        }
    }
}
