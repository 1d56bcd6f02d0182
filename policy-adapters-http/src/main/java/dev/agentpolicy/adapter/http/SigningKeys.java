package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.TreeJson;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SigningKeyManifest;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The public keys that verify the chain, cacheable (specification, signing-key manifest).
 *
 * @param manifest the keys as they are published now
 */
record SigningKeys(Supplier<SigningKeyManifest> manifest) {
    private static final String CACHEABLE = "public, max-age=300";

    void answer(Context ctx) {
        byte[] json =
                JsonWriter.object(out -> TreeJson.write(out, manifest.get().tree()));
        String tag = "\"" + Sha256.hex(new String(json, StandardCharsets.UTF_8)) + "\"";
        ctx.header("Cache-Control", CACHEABLE).header("ETag", tag);
        if (isKnown(ctx, tag)) {
            ctx.status(304);
        } else {
            Reply.bytes(ctx, 200, json);
        }
    }

    private static boolean isKnown(Context ctx, String tag) {
        return Collections.list(ctx.req().getHeaders("If-None-Match")).stream()
                .flatMap(header -> Stream.of(header.split(",")))
                .map(String::trim)
                .map(known -> known.startsWith("W/") ? known.substring(2) : known)
                .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }
}
