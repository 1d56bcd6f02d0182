package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.TreeJson;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import io.javalin.http.Context;
import java.util.function.Supplier;

/**
 * The public keys that verify the chain (specification, signing-key manifest).
 *
 * @param manifest the keys as they are published now
 */
record SigningKeysEndpoint(Supplier<SigningKeyManifest> manifest) {

    void answer(Context ctx) {
        CacheableAnswer.of(JsonWriter.object(out -> TreeJson.write(out, manifest.get().tree())))
                .answer(ctx);
    }
}
