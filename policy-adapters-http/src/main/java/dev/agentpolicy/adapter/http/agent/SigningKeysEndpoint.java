package dev.agentpolicy.adapter.http.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import io.javalin.http.Context;
import java.util.function.Supplier;

/**
 * Answers with the public keys that verify the chain (specification, signing-key manifest).
 *
 * @param manifest supplies the keys that are published now
 */
record SigningKeysEndpoint(Supplier<SigningKeyManifest> manifest) {
    private static final JsonMapper JSON = new JsonMapper();

    void answer(Context ctx) {
        try {
            CacheableAnswer.of(JSON.writeValueAsBytes(manifest.get().tree())).answer(ctx);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("The manifest consists of maps, lists, strings and integers.", impossible);
        }
    }
}
