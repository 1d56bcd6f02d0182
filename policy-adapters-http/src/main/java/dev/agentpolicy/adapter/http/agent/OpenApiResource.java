package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The OpenAPI description of both APIs, byte for byte the file {@code docs/openapi.json}. */
public final class OpenApiResource {
    private static final String RESOURCE = "openapi.json";

    private OpenApiResource() {}

    static CacheableAnswer load() {
        return CacheableAnswer.of(bytes());
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
