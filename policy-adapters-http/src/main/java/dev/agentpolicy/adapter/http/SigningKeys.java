package dev.agentpolicy.adapter.http;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.TreeJson;
import dev.agentpolicy.domain.event.SigningKeyManifest;
import io.javalin.http.Context;
import java.util.function.Supplier;

/**
 * The public keys that verify the chain (specification, signing-key manifest).
 *
 * @param manifest the keys as they are published now
 */
record SigningKeys(Supplier<SigningKeyManifest> manifest) {

    void answer(Context ctx) {
        Cacheable.of(JsonWriter.object(out -> TreeJson.write(out, manifest.get().tree())))
                .answer(ctx);
    }
}
