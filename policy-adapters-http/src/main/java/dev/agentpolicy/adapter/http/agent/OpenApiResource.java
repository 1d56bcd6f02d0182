package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The OpenAPI description of both APIs, byte for byte the file {@code docs/openapi.json}. */
public final class OpenApiResource {
    private static final String RESOURCE = "openapi.json";

    private OpenApiResource() {}

    /** Read and hashed at the first call, since that takes a tenth of a second in a process that has just begun. */
    private static final class Loaded {
        static final CacheableAnswer ANSWER = CacheableAnswer.of(bytes());
    }

    static void answer(Context ctx) {
        Loaded.ANSWER.answer(ctx);
    }

    /** The bytes of the description. */
    public static byte[] bytes() {
        try (InputStream in = OpenApiResource.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("The jar lacks " + RESOURCE + ".");
            }
            return in.readAllBytes();
        } catch (IOException damaged) {
            throw new UncheckedIOException("The jar is damaged: " + RESOURCE + " cannot be read.", damaged);
        }
    }
}
