package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.CallGate.Operation;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.CacheableAnswer;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The OpenID AuthZEN Authorization API 1.0 (docs/reference/authzen.md): access evaluations are dry runs of trades, with
 * the same key, limits and log as those of the agent API.
 */
public final class AuthzenApi {
    private static final String EVALUATION = "/access/v1/evaluation";
    private static final String EVALUATIONS = "/access/v1/evaluations";
    private static final String WELL_KNOWN = "/.well-known/authzen-configuration";

    private static final String PREFIX = "/access/v1/";
    private static final String ENTITIES = "subject, action, resource, context";

    private static final Pattern AUTHORITY = Pattern.compile("[A-Za-z0-9._~:\\[\\]-]{1,255}");

    private final CallGate gate;
    private final boolean trustsProxy;
    private final @Nullable String baseUrl;

    /**
     * Creates the API.
     *
     * @param baseUrl where agents reach the service; null for the address that each caller used
     */
    public AuthzenApi(CallGate gate, HttpConfig config, @Nullable String baseUrl) {
        this.gate = gate;
        this.trustsProxy = config.trustsProxy();
        this.baseUrl = baseUrl == null ? null : baseUrl.replaceFirst("/+$", "");
    }

    /** Whether a path belongs to this API, although no route may match it. */
    public static boolean isAt(String path) {
        return (path + "/").startsWith(PREFIX) || (path + "/").startsWith(WELL_KNOWN + "/");
    }

    /** All endpoints. If the base URL has a path, the discovery document is served at the place derived from it as well. */
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(List.of(
                row(EVALUATION, ENTITIES, AccessEvaluations::one),
                row(EVALUATIONS, ENTITIES + ", evaluations, options", AccessEvaluations::several),
                open(WELL_KNOWN, this::discovery)));
        String path = baseUrl == null ? "" : URI.create(baseUrl).getRawPath();
        if (!path.isEmpty()) {
            routes.add(open(WELL_KNOWN + path, this::discovery));
        }
        return List.copyOf(routes);
    }

    private Route row(String path, String input, Consumer<AgentCall> work) {
        return new Route("POST", path, Access.VALIDATE, input, gate.admit(path, new Operation(Access.VALIDATE, work)));
    }

    private Route open(String path, Consumer<Context> work) {
        return new Route("GET", path, Access.PUBLIC, "-", gate.admitAnyone(path, work));
    }

    /** Answers with the metadata of this policy decision point: its address and those of its endpoints. */
    private void discovery(Context ctx) {
        String base = baseUrl == null ? addressOf(ctx.req()) : baseUrl;
        CacheableAnswer.of(JsonWriter.object(out -> out.text("policy_decision_point", base)
                        .text("access_evaluation_endpoint", base + EVALUATION)
                        .text("access_evaluations_endpoint", base + EVALUATIONS)))
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
