package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.document.Sha256;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * A public answer that clients may keep for five minutes, and ask again whether it changed.
 *
 * @param json its bytes
 * @param tag strong entity tag of the bytes
 */
public record Cacheable(byte[] json, String tag) {
    private static final String FIVE_MINUTES = "public, max-age=300";

    public static Cacheable of(byte[] json) {
        return new Cacheable(json, "\"" + Sha256.hex(new String(json, StandardCharsets.UTF_8)) + "\"");
    }

    /** Answers 200, or 304 to who has it already. */
    public void answer(Context ctx) {
        ctx.header("Cache-Control", FIVE_MINUTES).header("ETag", tag);
        if (isKnown(ctx)) {
            ctx.status(304);
            ctx.res().setContentLength(json.length);
        } else {
            Reply.bytes(ctx, 200, json);
        }
    }

    private boolean isKnown(Context ctx) {
        return Collections.list(ctx.req().getHeaders("If-None-Match")).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::trim)
                .map(known -> known.startsWith("W/") ? known.substring(2) : known)
                .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }
}
