package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.adapter.http.agent.AgentCall;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.CallGate.Operation;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.HttpConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The OpenID AuthZEN Authorization API 1.0 (docs/reference/authzen.md): access evaluations are dry runs of trades, with
 * the same key, limits and log as those of the agent API.
 */
public final class AuthzenApi {
    static final String EVALUATION = "/access/v1/evaluation";
    static final String EVALUATIONS = "/access/v1/evaluations";
    static final String WELL_KNOWN = "/.well-known/authzen-configuration";

    private static final String PREFIX = "/access/v1/";
    private static final String ENTITIES = "subject, action, resource, context";

    private final CallGate gate;
    private final DiscoveryDocument discovery;

    /**
     * Creates the API.
     *
     * @param baseUrl where agents reach the service; null for the address that each caller used
     */
    public AuthzenApi(CallGate gate, HttpConfig config, @Nullable String baseUrl) {
        this.gate = gate;
        this.discovery = new DiscoveryDocument(baseUrl, config.trustsProxy());
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
                open(WELL_KNOWN, discovery::answer)));
        if (!discovery.pathOfBaseUrl().isEmpty()) {
            routes.add(open(WELL_KNOWN + discovery.pathOfBaseUrl(), discovery::answer));
        }
        return List.copyOf(routes);
    }

    private Route row(String path, String input, Consumer<AgentCall> work) {
        return new Route("POST", path, Access.VALIDATE, input, gate.admit(path, new Operation(Access.VALIDATE, work)));
    }

    private Route open(String path, Consumer<Context> work) {
        return new Route("GET", path, Access.PUBLIC, "-", gate.admitAnyone(path, work));
    }
}
