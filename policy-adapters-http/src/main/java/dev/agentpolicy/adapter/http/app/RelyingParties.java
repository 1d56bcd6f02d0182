package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.wire.HttpConfig;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import io.javalin.http.Context;
import java.net.URI;

/**
 * The console as passkeys know it (docs/reference/passkeys.md): at the address of {@code POLICY_APP_URL}, else at localhost
 * and the port of the call.
 */
record RelyingParties(HttpConfig config) {
    private static final String LOCALHOST = "localhost";

    RelyingParty of(Context ctx) {
        String appHost = config.appHost();
        return config.publicUrls().stream()
                .filter(url -> appHost != null)
                .map(URI::create)
                .filter(url -> url.getHost() != null && url.getHost().equalsIgnoreCase(appHost))
                .findFirst()
                .map(url -> new RelyingParty(Origins.host(url), Origins.origin(url.toString())))
                .orElseGet(() -> new RelyingParty(
                        LOCALHOST, "http://" + LOCALHOST + ":" + ctx.req().getLocalPort()));
    }
}
