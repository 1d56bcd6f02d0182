package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers with the metadata of this policy decision point: its address and those of its endpoints. */
final class DiscoveryDocument {
    private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9._~:\\[\\]-]{1,255}");

    private final @Nullable String baseUrl;
    private final boolean trustsProxy;

    /**
     * Creates the document.
     *
     * @param baseUrl where agents reach the service; null for the address that each caller used
     * @param trustsProxy whether {@code X-Forwarded-Proto} is used
     */
    DiscoveryDocument(@Nullable String baseUrl, boolean trustsProxy) {
        this.baseUrl = baseUrl == null ? null : baseUrl.replaceFirst("/+$", "");
        this.trustsProxy = trustsProxy;
    }

    /** The path of the configured base URL, without a slash at its end; empty if there is none. */
    String pathOfBaseUrl() {
        return baseUrl == null ? "" : URI.create(baseUrl).getRawPath();
    }

    void answer(Context ctx) {
        String base = baseUrl == null ? addressOf(ctx.req()) : baseUrl;
        CacheableAnswer.of(JsonWriter.object(out -> out.text("policy_decision_point", base)
                        .text("access_evaluation_endpoint", base + AuthzenApi.EVALUATION)
                        .text("access_evaluations_endpoint", base + AuthzenApi.EVALUATIONS)))
                .answer(ctx);
        if (baseUrl == null) {
            // The address is what the caller sent, so no cache may hand it to others.
            ctx.header("Cache-Control", "private, max-age=300");
        }
    }

    /** The address by which a caller reached the service, since metadata must name the address it was read from. */
    private String addressOf(HttpServletRequest request) {
        boolean isForwarded = trustsProxy && "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto"));
        String scheme = isForwarded ? "https" : request.getScheme();
        String host = request.getHeader("Host");
        boolean isUsable = host != null && AUTHORITY.matcher(host).matches();
        return scheme + "://" + (isUsable ? host : request.getLocalAddr() + ":" + request.getLocalPort());
    }
}
